// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/requantise.h"
#include "kernels/window_dot.h"

namespace fansim::kernels {

// A row of windows' sums of kChannels output channels, or fewer of them, to bytes: arith::requantise, then no lower
// than `lowest`. Formats of fits() only.
struct RequantiseRow {
  const std::int32_t* sums = nullptr;  // [window][channel], sum_step apart
  std::ptrdiff_t sum_step = kChannels;
  int windows = 0;
  int channels = kChannels;
  std::int32_t scale[kChannels] = {};
  std::int32_t shift[kChannels] = {};
  int zero_point = 0;
  bool is_unsigned = false;
  int lowest = -128;
  std::uint8_t* bytes = nullptr;  // [window][channel], byte_step apart
  std::ptrdiff_t byte_step = kChannels;
};

// Whether 32 bits hold all that comes up: an operand of 16 bits times a scale of 15, and half of what is shifted out.
constexpr bool fits(const arith::QuantiserFormat& format) {
  return format.accumulator_bits <= 32 && format.operand_bits <= 16;
}

void requantise_row(const RequantiseRow& row, const arith::QuantiserFormat& format);

}  // namespace fansim::kernels
