// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/requantise.h"
#include "arith/saturation.h"
#include "kernels/window_dot.h"

namespace fansim::kernels {

// Requantises a row of windows' sums of up to kChannels output channels to bytes: arith::requantise, then the maximum
// with `lowest`. Formats must satisfy fits().
struct RequantiseRow {
  const std::int32_t* sums = nullptr;  // [window][channel]; windows are sum_step apart
  std::ptrdiff_t sum_step = kChannels;
  int windows = 0;
  int channels = kChannels;
  std::int32_t scale[kChannels] = {};
  std::int32_t shift[kChannels] = {};
  int zero_point = 0;
  bool is_unsigned = false;
  int lowest = -128;
  bool relu = false;              // `lowest` is that of an activation, and no saturation
  std::uint8_t* bytes = nullptr;  // [window][channel]; windows are byte_step apart
  std::ptrdiff_t byte_step = kChannels;
};

// Returns whether 32 bits hold all intermediate values: an operand of 16 bits times a scale of 15 bits, plus half of
// what is shifted out.
constexpr bool fits(const arith::QuantiserFormat& format) {
  return format.accumulator_bits <= 32 && format.operand_bits <= 16;
}

// Adds to `seen` what saturates (arith::count).
void requantise_row(const RequantiseRow& row, const arith::QuantiserFormat& format, arith::Saturation& seen);

}  // namespace fansim::kernels
