// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/host_program.h"

#include <utility>

#include "contract/dma_map.h"

namespace fansim::stream {

namespace {

// How often a repeated job is written before further times are left out. The third round is the first that certainly
// repeats the one before it.
constexpr int kWritten = 3;

}  // namespace

HostProgram::HostProgram(const contract::HostConfig& host, LeftOuts* left_out) : host_(host), left_out_(left_out) {
  op(Kind::write_dma, contract::dma_map::kMm2sDmacr, contract::dma_map::kCrRunStop);
  op(Kind::write_dma, contract::dma_map::kS2mmDmacr,
     contract::dma_map::kCrRunStop | contract::dma_map::kCrIocIrqEnable);
}

std::vector<contract::HostOp> HostProgram::take() { return std::move(ops_); }

void HostProgram::layer(int index, const Jobs& jobs, const CodeTable* table) {
  machine_ = Machine{};
  reg1_ = 0;
  std::size_t last_sent = 0;
  for (std::size_t r = 0; r < jobs.size(); ++r)
    if (jobs[r].first.command.send_output) last_sent = r;

  op(Kind::begin_layer, 0, static_cast<std::uint32_t>(index));
  op(Kind::software, 0, static_cast<std::uint32_t>(host_.layer_setup));
  for (int pair = 0; table && pair < TableWrite::kPairs; ++pair)
    op(Kind::write_core, kTableOffset, TableWrite::at(*table, pair).value());
  Job job = jobs.front().first;
  fetch(job);
  for (std::size_t r = 0; r < jobs.size(); ++r) {
    const RepeatedJob& repeated = jobs[r];
    for (int time = 0; time < repeated.times; ++time) {
      const bool last = time + 1 == repeated.times;
      fetch_resident(job);
      start(job, last && r == last_sent);
      if (!last || r + 1 < jobs.size()) fetch(job = last ? jobs[r + 1].first : repeated.at(time + 1));
      op(Kind::wait_job);
      if (const int more = repeated.times - 1 - kWritten; left_out_ && time + 1 == kWritten && more > 0) {
        time += more;
        leave_out(more, job = repeated.at(time + 1));
      }
    }
  }
  op(Kind::wait_output);
  op(Kind::end_layer, 0, static_cast<std::uint32_t>(index));
}

void HostProgram::software_layer(int index, std::uint32_t cycles) {
  op(Kind::begin_layer, 0, static_cast<std::uint32_t>(index));
  op(Kind::software, 0, cycles);
  op(Kind::end_layer, 0, static_cast<std::uint32_t>(index));
}

// Leaves out `rounds` rounds, up to the one in which the data of `next` are fetched.
void HostProgram::leave_out(int rounds, const Job& next) {
  left_out_->push_back({ops_.size(), static_cast<std::uint32_t>(rounds)});
  if (next.input.bytes > 0) machine_.input = next.input;
  if (next.weights.bytes > 0) machine_.weights = next.weights;
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
  const auto into_half = [&](const Transfer& wanted, Transfer& held, std::uint32_t select, std::uint32_t pulse) {
    if (wanted.bytes == 0 || wanted == held) return;
    receive(wanted, pulse);
    held = wanted;
    machine_.selects ^= select;
  };
  into_half(job.input, machine_.input, bits_.input_select, bits_.receive_input);
  into_half(job.bias, machine_.bias, bits_.bias_select, bits_.receive_bias);
  into_half(job.weights, machine_.weights, bits_.weight_select, bits_.receive_weights);
}

// The resident store has no second half, so no job runs while it is written.
void HostProgram::fetch_resident(const Job& job) {
  if (job.resident.bytes == 0 || job.resident == machine_.resident) return;
  receive(job.resident, bits_.receive_weights | bits_.receive_resident);
  machine_.resident = job.resident;
}

void HostProgram::start(const Job& job, bool end_of_layer) {
  RegisterImage image = encode(job.command);
  image.reg1 |= machine_.selects | (end_of_layer ? bits_.end_of_layer : 0);
  if (job.command.send_output) machine_.selects ^= bits_.output_select;

  const RegisterImage* held = machine_.registers ? &*machine_.registers : nullptr;
  if (!held || held->reg2 != image.reg2) write_register(2, image.reg2);
  if (!held || held->geometry != image.geometry)
    for (std::size_t word = 0; word < image.geometry.size(); ++word)
      if (!held || held->geometry[word] != image.geometry[word])
        write_register(3, geometry_value(static_cast<int>(word), image.geometry[word]));
  if (!held || held->reg4 != image.reg4) write_register(4, image.reg4);
  if (!held || held->reg5 != image.reg5) write_register(5, image.reg5);
  if (!held || held->reg6 != image.reg6) write_register(6, image.reg6);
  write_register(1, image.reg1);
  machine_.registers = image;
  reg1_ = image.reg1 & ~bits_.acting();
}

}  // namespace fansim::stream
