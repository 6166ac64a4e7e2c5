// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/command.h"
#include "base/random.h"
#include "cosim/session.h"

namespace fansim::cosim {

// Fields that a twin has no parameter for keep their defaults.
inline stream::ArrayConfig array_of(const Parameters& p) {
  stream::ArrayConfig array;
  array.rows = p.get("ROWS", array.rows), array.cols = p.get("COLS", array.cols);
  array.input_channels = p.get("INPUT_CHANNELS", array.input_channels);
  array.output_channels = p.get("OUTPUT_CHANNELS", array.output_channels);
  array.line_columns = p.get("LINE_COLUMNS", array.line_columns);
  array.accumulator_depth = p.get("ACCUMULATOR_DEPTH", array.accumulator_depth);
  constexpr stream::Multiplier kMultipliers[] = {stream::Multiplier::dsp48e2, stream::Multiplier::dsp48e2_dual_int8,
                                                 stream::Multiplier::lut, stream::Multiplier::lut_reconfigurable};
  array.multiplier = kMultipliers[p.get("MULTIPLIER", 1)];
  array.shadow_luts = p.get("SHADOW", 1) == 1;
  return array;
}

// Any kernel, and one row or as many in parallel as the array can.
inline void random_parallel(stream::Command& job, const stream::ArrayConfig& array, base::Random& random) {
  job.kernel = random.uniform(1, 11), job.stride = random.uniform(1, 4);
  job.parallel = random.uniform(1, array.windows_in_parallel(job.kernel, job.stride));
}

}  // namespace fansim::cosim
