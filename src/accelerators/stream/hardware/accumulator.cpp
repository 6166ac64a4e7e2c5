// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/accumulator.h"

#include <algorithm>
#include <cstring>

namespace fansim::stream {

Accumulator::Accumulator(const sc_core::sc_module_name& name, const ArrayConfig& config, sim::ReadPort& bias,
                         bool values, int bits)
    : sim::Module(name),
      config_(config),
      bias_(bias),
      values_(values),
      stored_(static_cast<std::size_t>(config.rows * config.accumulator_depth * config.output_channels)),
      bits_(*this, "sums", sim::Storage::Of::block_ram,
            [this, bits] {
              return sim::StoredWords{stored_.data(), stored_.size(), sizeof(std::int32_t), bits};
            }),
      bank_ports_(static_cast<std::size_t>(config.rows), sim::PortBudget(1)),
      pipeline_(ArrayConfig::accumulator_latency()) {}

[[gnu::flatten]] void Accumulator::step() {
  if (pipeline_.empty() && sums.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid()) {
    if (!totals.can_push()) {
      ++stalls_;
      return;
    }
    totals.push(pipeline_.out());
    ++totals_out_;
  }
  pipeline_.advance();
  if (sums.can_pop()) accept();
}

void Accumulator::accept() {
  const Sums& in = sums.front();
  const Tag& tag = in.tag;
  const int parallel = tag.job->parallel;
  if (tag.job_end && row_ == 0 && !done.can_push()) return;
  if (tag.first && tag.new_weights && row_ == 0) read_bias(tag);
  if (tag.last) {
    add_row(in, row_);
    if (++row_ < parallel) return;
    row_ = 0;
  } else {
    for (int p = 0; p < parallel; ++p) add_row(in, p);
  }
  if (tag.job_end) done.push(JobDone{});
  sums.pop();
  ++beats_;
}

void Accumulator::add_row(const Sums& in, int row) {
  const Tag& tag = in.tag;
  if (tag.entry >= config_.accumulator_entries(tag.job->parallel))
    violation("partial-sum entry beyond accumulator_depth");
  if (!bank_ports_[static_cast<std::size_t>(row)].spend(1, now())) violation("bank of sums used twice at an edge");
  const int channels = config_.output_channels;
  std::int32_t* entry =
      stored_.data() + static_cast<std::ptrdiff_t>(row * config_.accumulator_depth + tag.entry) * channels;
  const std::int32_t* add = in.values.data() + row * channels;
  const std::int32_t* from = tag.first ? bias_now_.data() : entry;
  std::int32_t* to = entry;
  if (tag.last) {
    Totals& out = pipeline_.enter();
    out.tag = tag;
    out.tag.row = tag.row * tag.job->parallel + row;
    to = out.values.data();
  }
  if (!values_) return;
  kernels::add_few(from, add, channels, to);
}

// A bias record is an int32 or, if each channel brings its own scale, 8 bytes that begin with one.
void Accumulator::read_bias(const Tag& tag) {
  const Command& job = *tag.job;
  const int record = job.scale_per_channel ? 8 : 4;
  const int channels = config_.output_channels;
  const std::uint8_t* bytes =
      bias_.read(job.bias_select, (job.bias_base + tag.group) * channels * record, channels * record);
  for (int o = 0; o < channels; ++o) std::memcpy(&bias_now_[static_cast<std::size_t>(o)], bytes + o * record, 4);
}

}  // namespace fansim::stream
