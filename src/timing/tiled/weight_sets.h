// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/code_book.h"
#include "base/units.h"
#include "kernels/tile_mac.h"

// The weights of one step as the kernels want them, for sums of each type. Channels are padded to `pitch`, a multiple
// of kernels::kTileChannels.
namespace fansim::timing {

// Inputs of a point that the kernel reads, those beyond `lanes` being multiplied by zero; operands of a set.
inline std::ptrdiff_t set_size(int lanes, int pitch, std::int16_t) {
  return std::ptrdiff_t{base::round_up(lanes, 2)} * pitch;
}
inline std::ptrdiff_t set_size(int lanes, int pitch, float) {
  return std::ptrdiff_t{base::round_up(lanes, kernels::kTreeLanes)} * pitch;
}

// From codes [lane][channel], `code_pitch` apart, into a set whose padding is zero.
inline void load_set(const std::uint16_t* codes, int lanes, int code_pitch, int channels, int pitch,
                     const arch::CodeBook& book, std::int16_t* set) {
  const std::int16_t* value = book.integers.data();
  for (int i = 0; i < lanes; ++i) {
    const std::uint16_t* from = codes + std::ptrdiff_t{i} * code_pitch;
    std::int16_t* to = set + std::ptrdiff_t{i / 2} * pitch * 2 + i % 2;
    for (int o = 0; o < channels; ++o) to[2 * o] = value[from[o]];
  }
}
inline void load_set(const std::uint16_t* codes, int lanes, int code_pitch, int channels, int pitch,
                     const arch::CodeBook& book, float* set) {
  const float* value = book.operands.data();
  for (int i = 0; i < lanes; ++i) {
    const std::uint16_t* from = codes + std::ptrdiff_t{i} * code_pitch;
    float* to = set + std::ptrdiff_t{i} * pitch;
    for (int o = 0; o < channels; ++o) to[o] = value[from[o]];
  }
}

// A point of a step: its products added to `pitch` sums.
inline void add_point(const std::int16_t* x, const std::int16_t* set, int lanes, int pitch, std::int32_t* sums) {
  kernels::multiply_add(x, set, base::ceil_div(lanes, 2), pitch, sums);
}
inline void add_point(const std::int16_t* x, const std::int16_t* set, int lanes, int pitch, std::int64_t* sums) {
  kernels::multiply_add_wide(x, set, base::ceil_div(lanes, 2), pitch, sums);
}
inline void add_point(const float* x, const float* set, int lanes, int pitch, float* sums) {
  kernels::multiply_tree(x, set, base::round_up(lanes, kernels::kTreeLanes), pitch, sums);
}

}  // namespace fansim::timing
