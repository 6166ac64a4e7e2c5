// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/host_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "accelerators/stream/config/tile.h"
#include "contract/dma_map.h"
#include "rules/burst.h"

namespace fansim::stream {
namespace {

bool same(const Command& a, const Command& b) {
  static_assert(std::has_unique_object_representations_v<Command>);
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// The fields of a command that decide the job's time, without halves and addresses.
Command timed(const Command& written) {
  Command command = written;
  for (int Command::*field :
       {&Command::receive_input, &Command::receive_weights, &Command::receive_bias, &Command::receive_resident,
        &Command::input_select, &Command::weight_select, &Command::bias_select, &Command::output_select,
        &Command::weight_base, &Command::bias_base, &Command::input_unsigned})
    command.*field = 0;
  command.output_base = 0;
  if (!command.pool) command.output_row = 0;
  return command;
}

class Reader : public contract::HostFollower {
 public:
  explicit Reader(const Config& config)
      : host_(config.host),
        axi_(config.axi),
        word_bytes_(config.array.word_bytes()),
        pixel_bytes_(config.array.pixel_bytes()) {}

  void software(std::uint32_t cycles, bool prepares_dma) {
    preparing_ = prepares_dma;
    takes(cycles);
  }
  void write_core(std::uint32_t address, std::uint32_t value) {
    takes(static_cast<std::uint32_t>(host_.register_write + contract::HostConfig::kAnswered));
    if (address != register_offset(1) || (value & bits_.starts)) command_.write(address, value);
    if (address == register_offset(1)) acts(value);
  }
  void write_dma(std::uint32_t address, std::uint32_t value) {
    preparing_ = true;
    takes(static_cast<std::uint32_t>(host_.register_write + contract::HostConfig::kAnswered));
    if (address == contract::dma_map::kMm2sSa) source_ = value;
    if (address != contract::dma_map::kMm2sLength) return;
    if (!receives_) throw std::logic_error(fmt::format("timing: a transfer of {} bytes without receiver", value));
    next_.address = source_;
    next_.bytes = value;
    transfers_ = true;
    receives_ = false;
  }
  void poll_mm2s() {
    if (!transfers_) throw std::logic_error("timing: the DMA is waited for without a transfer");
    transfers_ = false;
    add(Act::Kind::transfer);
  }
  void wait_job() { wait(Act::Kind::wait_job); }
  void wait_output() { wait(Act::Kind::wait_output); }

  void again(std::uint32_t rounds) {
    if (trace_.rounds.empty() || trace_.rounds.back().times < 2 || trace_.acts.size() != round_)
      throw std::logic_error("timing: rounds are left out that do not repeat");
    trace_.rounds.back().times += rounds;
  }

  HostTrace take() {
    if (next_.works > 0 || next_.prepares > 0) wait(Act::Kind::nothing);
    trace_.acts.shrink_to_fit();
    trace_.commands.shrink_to_fit();
    trace_.rounds.shrink_to_fit();
    return std::move(trace_);
  }

 private:
  // Adds cycles to the next act. Work that must come before other work, or is too long for one act, is an act of its
  // own.
  void takes(std::uint32_t cycles) {
    if (transfers_) throw std::logic_error("timing: a transfer that is not waited for");
    std::uint32_t Act::*const before = preparing_ ? &Act::prepares : &Act::works;
    if ((!preparing_ && next_.prepares > 0) || next_.*before + cycles < cycles) {
      Act rest;
      rest.weights = next_.weights;
      rest.armed = next_.armed;
      trace_.acts.push_back(next_);
      next_ = rest;
    }
    next_.*before += cycles;
    if (receives_) next_.armed += cycles;
  }

  void wait(Act::Kind kind) {
    if (transfers_) throw std::logic_error("timing: a transfer that is not waited for");
    add(kind);
  }

  void add(Act::Kind kind) {
    next_.kind = kind;
    trace_.acts.push_back(next_);
    next_ = Act{};
    preparing_ = false;
    if (kind == Act::Kind::wait_job) end_round();
  }

  void end_round() {
    std::vector<Act>& all = trace_.acts;
    const std::size_t acts = all.size() - round_;
    if (!trace_.rounds.empty() && trace_.rounds.back().acts == acts && comes_again(trace_.rounds.back())) {
      ++trace_.rounds.back().times;
      all.resize(round_);
    } else {
      trace_.rounds.push_back({static_cast<std::uint32_t>(acts)});
      round_ = all.size();
    }
  }

  // Whether the last acts are the round before once more, their addresses as far on as each time before. The second
  // time decides how far that is.
  bool comes_again(Round& round) {
    Act* const before = trace_.acts.data() + (round_ - round.acts);
    const Act* const last = trace_.acts.data() + round_;
    for (std::uint32_t i = 0; i < round.acts; ++i) {
      const Act &a = before[i], &b = last[i];
      if (a.kind != b.kind || a.weights != b.weights || a.half != b.half || a.bytes != b.bytes ||
          a.command != b.command || a.armed != b.armed || a.works != b.works || a.prepares != b.prepares ||
          (round.times > 1 && b.address != a.at(round.times).address))
        return false;
    }
    if (round.times > 1) return true;
    for (std::uint32_t i = 0; i < round.acts; ++i) {
      before[i].step = last[i].address - before[i].address;
      round.alike = round.alike && rules::in_beat(before[i].step, axi_) == 0;
    }
    return true;
  }

  void acts(std::uint32_t register1) {
    if (register1 & bits_.receives()) {
      receives_ = true;
      next_.weights = !(register1 & bits_.receive_input);
      next_.armed = 0;
    }
    if (!(register1 & bits_.starts)) return;
    if (receives_) throw std::logic_error("timing: a job is started while a receiver has no transfer");
    next_.half = static_cast<std::uint16_t>((*command_).output_select);
    next_.address = (*command_).output_base;
    next_.command = index_of(timed(*command_));
    add(Act::Kind::job);
  }

  // Most commands are as the one before.
  std::uint32_t index_of(const Command& command) {
    std::vector<Command>& all = trace_.commands;
    if (!all.empty() && same(all[last_], command)) return last_;
    const std::string bytes(reinterpret_cast<const char*>(&command), sizeof command);
    const auto [found, fresh] = indices_.emplace(bytes, static_cast<std::uint32_t>(all.size()));
    if (fresh) {
      all.push_back(command);
      if (command.send_output)
        trace_.largest_write = std::max(trace_.largest_write, shape_of(command, word_bytes_, pixel_bytes_).bytes);
    }
    return last_ = found->second;
  }

  const contract::HostConfig& host_;
  const contract::AxiConfig& axi_;
  const int word_bytes_, pixel_bytes_;
  const Register1& bits_ = Register1::bits();
  HostTrace trace_;
  std::unordered_map<std::string, std::uint32_t> indices_;  // of commands
  std::uint32_t last_ = 0;                                  // the command of the last job
  std::size_t round_ = 0;                                   // the first act of the round that is being read
  Act next_;
  WrittenCommand command_;
  bool preparing_ = false, receives_ = false, transfers_ = false;
  std::uint32_t source_ = 0;
};

}  // namespace

HostTrace host_trace(const contract::Program& program, const contract::LayerSteps& layer, const Config& config,
                     const LeftOuts& left_out) {
  Reader reader(config);
  contract::LayerSteps part = layer;
  for (const LeftOut& rounds : left_out) {
    part.last = rounds.step;
    contract::follow(program, part, reader, {});
    reader.again(rounds.rounds);
    part.first = part.last;
  }
  part.last = layer.last;
  contract::follow(program, part, reader, {});
  return reader.take();
}

}  // namespace fansim::stream
