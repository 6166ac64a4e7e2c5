// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/command.h"
#include "accelerators/stream/hardware/types.h"
#include "base/random.h"
#include "cosim/session.h"

namespace fansim::cosim {

// Fields for which a twin has no parameter keep their defaults.
inline stream::ArrayConfig array_of(const Parameters& p) {
  stream::ArrayConfig array;
  array.rows = p.get("ROWS", array.rows);
  array.cols = p.get("COLS", array.cols);
  array.input_channels = p.get("INPUT_CHANNELS", array.input_channels);
  array.output_channels = p.get("OUTPUT_CHANNELS", array.output_channels);
  array.line_columns = p.get("LINE_COLUMNS", array.line_columns);
  if (p.get("BLOCK", 0) == 1) array.line_memory = stream::LineMemory::block;
  array.hidden_requantise = p.get("REQUANTISE", 0) == 1;
  array.code_table = p.get("CODE_TABLE", 0) == 1;
  array.accumulator_depth = p.get("ACCUMULATOR_DEPTH", array.accumulator_depth);
  constexpr stream::Multiplier kMultipliers[] = {stream::Multiplier::dsp48e2,
                                                 stream::Multiplier::dsp48e2_dual_int8,
                                                 stream::Multiplier::lut,
                                                 stream::Multiplier::lut_reconfigurable,
                                                 stream::Multiplier::dsp48e2_int8_chain,
                                                 stream::Multiplier::lut_kernel};
  // The adder tree's twin has no multiplier, but chains; that of kernels has their tables.
  const int implied = p.get("CHAINS", 0) > 0 ? 4 : p.get("SLICE_BITS", 0) > 0 ? 5 : 1;
  array.multiplier = kMultipliers[p.get("MULTIPLIER", implied)];
  array.terms = p.get("TERMS", array.terms);
  if (p.get("SHARED_WEIGHT", 0) == 1) array.shared = contract::Shared::weight;
  array.shadow_luts = p.get("SHADOW", 1) == 1;
  array.slice_bits = p.get("SLICE_BITS", array.slice_bits);
  if (p.get("FAITHFUL", 0) == 1) array.rounding = stream::KernelRounding::faithful;
  return array;
}

// Returns the value that the adder tree sums for an output channel where the twin has term k.
inline std::int64_t term_of(const stream::Terms& item, const stream::ArrayConfig& array, int o, int k) {
  if (array.chains()) return item.sums[static_cast<std::size_t>(o * array.rows * array.row_terms() + k)];
  return item.products[static_cast<std::size_t>(o * base::round_up(array.window_values(), kernels::kLanes) + k)];
}

// Draws a kernel, and one row or as many parallel rows as the array allows.
inline void random_parallel(stream::Command& job, const stream::ArrayConfig& array, base::Random& random) {
  job.kernel = random.uniform(1, 11);
  job.stride = random.uniform(1, 4);
  job.parallel = random.uniform(1, array.windows_in_parallel(job.kernel, job.stride));
}

}  // namespace fansim::cosim
