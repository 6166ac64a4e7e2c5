// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/host_program.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "contract/dma_map.h"

namespace fansim::stream {

namespace {

struct WidthCheck {
  std::optional<compile::Misfit> misfit;
  void bits(const char* name, int value, int, int, int, int width, const char*) {
    if (value < 0 || (width < 31 && value >> width != 0)) wide(name, value, width);
  }
  void wide(const char* name, int value, int width) {
    if (!misfit)
      misfit = compile::Misfit{fmt::format("command field {}: {} does not fit its {} bits", name, value, width)};
  }
  void address(const char*, std::uint32_t, int, const char*) {}
};

std::optional<compile::Misfit> too_wide(const Command& command) {
  WidthCheck check;
  command.visit(check);
  return check.misfit;
}

using CommandWords = std::array<std::uint32_t, sizeof(Command) / sizeof(std::uint32_t)>;
static_assert(std::is_trivially_copyable_v<Command> && sizeof(CommandWords) == sizeof(Command));

CommandWords words_of(const Command& command) {
  CommandWords words;
  std::memcpy(words.data(), &command, sizeof command);
  return words;
}

std::uint32_t bit(int Command::*field) {
  Command command;
  command.*field = 1;
  return encode(command).reg1;
}

}  // namespace

// None of them is, unless what all of them say together is.
std::optional<compile::Misfit> too_wide(const std::vector<Job>& jobs) {
  CommandWords all{};
  for (const Job& job : jobs) {
    const CommandWords words = words_of(job.command);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] |= words[i];
  }
  Command together;
  std::memcpy(static_cast<void*>(&together), all.data(), sizeof together);
  if (!too_wide(together)) return std::nullopt;
  for (const Job& job : jobs)
    if (const auto misfit = too_wide(job.command)) return misfit;
  return std::nullopt;
}

HostProgram::Pulses::Pulses()
    : input(bit(&Command::receive_input)),
      weights(bit(&Command::receive_weights)),
      bias(bit(&Command::receive_bias)),
      resident(weights | bit(&Command::receive_resident)),
      all(input | bias | resident | bit(&Command::start_conv) | bit(&Command::start_recurrent)) {}

HostProgram::HostProgram(const contract::HostConfig& host) : host_(host) {
  op(Kind::write_dma, contract::dma_map::kMm2sDmacr, contract::dma_map::kCrRunStop);
  op(Kind::write_dma, contract::dma_map::kS2mmDmacr,
     contract::dma_map::kCrRunStop | contract::dma_map::kCrIocIrqEnable);
}

std::vector<contract::HostOp> HostProgram::take() { return std::move(ops_); }

void HostProgram::layer(int index, const std::vector<Job>& jobs, const CodeTable* table) {
  machine_ = Machine{};
  reg1_ = 0;
  std::size_t last_sent = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j)
    if (jobs[j].command.send_output) last_sent = j;

  op(Kind::begin_layer, 0, static_cast<std::uint32_t>(index));
  op(Kind::software, 0, static_cast<std::uint32_t>(host_.layer_setup));
  for (int pair = 0; table && pair < TableWrite::kPairs; ++pair)
    op(Kind::write_core, kTableOffset, TableWrite::at(*table, pair).value());
  fetch(jobs.front());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    fetch_resident(jobs[j]);
    start(jobs[j], j == last_sent);
    if (j + 1 < jobs.size()) fetch(jobs[j + 1]);
    op(Kind::wait_job);
  }
  op(Kind::wait_output);
  op(Kind::end_layer, 0, static_cast<std::uint32_t>(index));
}

void HostProgram::software_layer(int index, std::uint32_t cycles) {
  op(Kind::begin_layer, 0, static_cast<std::uint32_t>(index));
  op(Kind::software, 0, cycles);
  op(Kind::end_layer, 0, static_cast<std::uint32_t>(index));
}

void HostProgram::write_register(int reg, std::uint32_t value) { op(Kind::write_core, register_offset(reg), value); }

void HostProgram::receive(const Transfer& transfer, std::uint32_t bits) {
  op(Kind::prepare_dma, 0, static_cast<std::uint32_t>(host_.dma_setup));
  write_register(1, reg1_ | bits);
  op(Kind::write_dma, contract::dma_map::kMm2sSa, transfer.address);
  op(Kind::write_dma, contract::dma_map::kMm2sLength, transfer.bytes);
  op(Kind::poll_mm2s);
}

void HostProgram::fetch(const Job& job) {
  const auto into_half = [&](const Transfer& wanted, Transfer& held, int& select, std::uint32_t pulse) {
    if (wanted.bytes == 0 || wanted == held) return;
    receive(wanted, pulse);
    held = wanted;
    select = 1 - select;
  };
  into_half(job.input, machine_.input, machine_.input_select, pulses_.input);
  into_half(job.bias, machine_.bias, machine_.bias_select, pulses_.bias);
  into_half(job.weights, machine_.weights, machine_.weight_select, pulses_.weights);
}

// The resident store has no second half: no job runs while it is written.
void HostProgram::fetch_resident(const Job& job) {
  if (job.resident.bytes == 0 || job.resident == machine_.resident) return;
  receive(job.resident, pulses_.resident);
  machine_.resident = job.resident;
}

void HostProgram::start(const Job& job, bool end_of_layer) {
  Command command = job.command;
  command.input_select = machine_.input_select;
  command.weight_select = machine_.weight_select;
  command.bias_select = machine_.bias_select;
  command.output_select = machine_.output_select;
  command.end_of_layer = end_of_layer;
  if (command.send_output) machine_.output_select = 1 - machine_.output_select;

  const RegisterImage image = encode(command);
  const RegisterImage* held = machine_.registers ? &*machine_.registers : nullptr;
  if (!held || held->reg2 != image.reg2) write_register(2, image.reg2);
  for (std::size_t word = 0; word < image.geometry.size(); ++word)
    if (!held || held->geometry[word] != image.geometry[word])
      write_register(3, geometry_value(static_cast<int>(word), image.geometry[word]));
  if (!held || held->reg4 != image.reg4) write_register(4, image.reg4);
  if (!held || held->reg5 != image.reg5) write_register(5, image.reg5);
  if (!held || held->reg6 != image.reg6) write_register(6, image.reg6);
  write_register(1, image.reg1);
  machine_.registers = image;
  reg1_ = image.reg1 & ~pulses_.all;
}

}  // namespace fansim::stream
