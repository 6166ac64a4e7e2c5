// SPDX-License-Identifier: Apache-2.0
#include "benches/kernel_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fansim::benches {
namespace {

double error_of(const KernelStimulus& stimulus, std::size_t vector, std::int64_t sum) {
  const int unit = arith::LutKernel(stimulus.config.format).output_bit();
  return static_cast<double>(sum) - std::ldexp(static_cast<double>(stimulus.exact[vector]), -unit);
}

}  // namespace

KernelBench::KernelBench(const sc_core::sc_module_name& name, const KernelStimulus& stimulus)
    : sc_module(name),
      coefficients_("coefficients", stimulus.sets),
      inputs_("inputs", stimulus.vectors),
      controller_("controller", stimulus.config),
      multiplier_("multiplier", stimulus.config),
      tree_("tree", stimulus.config),
      sink_("sink", stimulus.vectors.size()) {
  scheduler_.domain("kernel", {100, 1});
  sink_.finished = [this] { scheduler_.finish(); };
  coefficients_.out(sets_stream_);
  controller_.coefficients(sets_stream_);
  controller_.reload(reload_stream_);
  multiplier_.reload(reload_stream_);
  inputs_.out(inputs_stream_);
  multiplier_.inputs(inputs_stream_);
  multiplier_.entries(entries_stream_);
  tree_.entries(entries_stream_);
  tree_.sums(sums_stream_);
  sink_.in(sums_stream_);
}

void KernelBench::run(std::function<bool()> stop_requested) {
  scheduler_.stop_requested = std::move(stop_requested);
  scheduler_.run();
}

KernelErrors errors_of(const KernelStimulus& stimulus, const std::vector<SumSink::Taken>& sums) {
  KernelErrors errors;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double error = std::abs(error_of(stimulus, i, sums[i].sum));
    errors.most = std::max(errors.most, error);
    errors.mean += error / static_cast<double>(sums.size());
  }
  return errors;
}

std::string sums_csv(const KernelStimulus& stimulus, const std::vector<SumSink::Taken>& sums) {
  std::string csv = "cycle,sum,exact,error\n";
  for (std::size_t i = 0; i < sums.size(); ++i)
    csv += fmt::format("{},{},{},{:.6f}\n", sums[i].edge, sums[i].sum, stimulus.exact[i],
                       error_of(stimulus, i, sums[i].sum));
  return csv;
}

}  // namespace fansim::benches
