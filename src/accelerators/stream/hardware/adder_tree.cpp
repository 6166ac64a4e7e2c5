// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/adder_tree.h"

#include <numeric>

#include "kernels/mac.h"

namespace fansim::stream {

AdderTree::AdderTree(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values)
    : sim::Module(name),
      config_(config),
      lanes_(base::round_up(config.window_values(), kernels::kLanes)),
      values_(values),
      pipeline_(config.adder_tree_latency()) {}

[[gnu::flatten]] void AdderTree::step() {
  if (pipeline_.empty() && products.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid()) {
    if (!sums.can_push()) {
      ++stalls_;
      return;
    }
    const Sums& out = pipeline_.out();
    Sums& slot = sums.push();
    slot.tag = out.tag;
    kernels::copy_few(out.values.data(), out.tag.job->parallel * config_.output_channels, slot.values.data());
  }
  pipeline_.advance();
  if (!products.can_pop()) return;
  const Terms& in = products.pop();
  Sums& out = pipeline_.enter();
  out.tag = in.tag;
  if (values_) add(in, out);
  ++beats_;
}

void AdderTree::add(const Terms& in, Sums& out) const {
  switch (in.kind) {
    case Terms::Kind::products:
      add_products(in, out);
      break;
    case Terms::Kind::row_sums:
      add_row_sums(in, out);
      break;
    case Terms::Kind::window_sums:
      kernels::copy_few(in.sums.data(), in.tag.job->parallel * config_.output_channels, out.values.data());
      break;
  }
}

void AdderTree::add_products(const Terms& in, Sums& out) const {
  const Command& job = *in.tag.job;
  const int rows = job.parallel == 1 ? config_.rows : job.kernel, channels = config_.output_channels;
  for (int p = 0; p < job.parallel; ++p) {
    for (int o = 0; o < channels; ++o) {
      std::int32_t sum = 0;
      for (int c = 0; c < config_.cols; ++c) {
        const std::int16_t* row =
            in.products.data() + o * lanes_ + (c * config_.rows + p * rows) * config_.input_channels;
        for (int i = 0; i < rows * config_.input_channels; ++i) sum += row[i];
      }
      out.values[static_cast<std::size_t>(p * channels + o)] = sum;
    }
  }
}

void AdderTree::add_row_sums(const Terms& in, Sums& out) const {
  const Command& job = *in.tag.job;
  const int terms = config_.row_sums(), channels = config_.output_channels;
  const int rows = job.parallel == 1 ? config_.rows : job.kernel;
  for (int p = 0; p < job.parallel; ++p) {
    for (int o = 0; o < channels; ++o) {
      const std::int32_t* const from = in.sums.data() + (o * config_.rows + p * rows) * terms;
      const std::int64_t sum = std::accumulate(from, from + rows * terms, std::int64_t{0});
      out.values[static_cast<std::size_t>(p * channels + o)] = static_cast<std::int32_t>(sum);
    }
  }
}

}  // namespace fansim::stream
