// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/code_book.h"
#include "base/units.h"
#include "kernels/tile_mac.h"

// This file defines the number types of a tile: the operands of a product, the sum, and the kernel that adds a point. A
// set is the weights of one step in the order that the kernel needs, [group of lanes][channel][lane]; its padding is
// zero.
namespace fansim::tiled {

struct IntegerArithmetic {
  using Value = std::int16_t;  // value of a weight's code
  using Total = std::int64_t;  // the type that tiled::TileOutput takes
  static const std::vector<Value>& values(const CodeBook& book) { return book.integers; }
};

// Computes with bytes, for activations of up to 8 bits. Signed activations are raised by 128, so a sum is too high by
// what its weights make of inputs of 128.
struct ByteArithmetic : IntegerArithmetic {
  using Input = std::uint8_t;
  using Weight = std::int8_t;
  using Sum = std::int32_t;
  static constexpr int kGroup = 4;
  static constexpr int kRaised = 128;
  static void add(const Input* x, const Weight* set, int groups, int pitch, Sum* sums) {
    kernels::multiply_add_bytes(x, set, groups, pitch, sums);
  }
  static Total total(Sum sum, Sum excess) {
    return static_cast<Sum>(static_cast<std::uint32_t>(sum) - static_cast<std::uint32_t>(excess));
  }
};

struct WordArithmetic : IntegerArithmetic {
  using Input = std::int16_t;
  using Weight = std::int16_t;
  using Sum = std::int32_t;
  static constexpr int kGroup = 2;
  static constexpr int kRaised = 0;
  static void add(const Input* x, const Weight* set, int groups, int pitch, Sum* sums) {
    kernels::multiply_add(x, set, groups, pitch, sums);
  }
  static Total total(Sum sum, Sum) { return sum; }
};

struct WideArithmetic : WordArithmetic {
  using Sum = std::int64_t;
  static void add(const Input* x, const Weight* set, int groups, int pitch, Sum* sums) {
    kernels::multiply_add_wide(x, set, groups, pitch, sums);
  }
  static Total total(Sum sum, Sum) { return sum; }
};

// Computes in single precision: sum = sum + tree of the lanes.
struct FloatArithmetic {
  using Value = float;
  using Input = float;
  using Weight = float;
  using Sum = float;
  using Total = float;
  static constexpr int kGroup = 1;
  static constexpr int kRaised = 0;
  static const std::vector<Value>& values(const CodeBook& book) { return book.operands; }
  static void add(const Input* x, const Weight* set, int groups, int pitch, Sum* sums) {
    kernels::multiply_tree(x, set, base::round_up(groups, kernels::kTreeLanes), pitch, sums);
  }
  static Total total(Sum sum, Sum) { return sum; }
};

// A kernel reads up to this number of a point's inputs beyond its lanes, and multiplies them by zero.
constexpr int kSlack = kernels::kTreeLanes;

// Returns the number of weights of a set with `lanes` lanes.
inline std::ptrdiff_t set_size(int lanes, int pitch) { return std::ptrdiff_t{lanes + kSlack} * pitch; }

// Loads a set from codes [lane][channel], `code_pitch` apart, and converts them to their values.
template <class Arithmetic>
void load_set(const std::uint16_t* codes, int lanes, int code_pitch, int channels, int pitch,
              const std::vector<typename Arithmetic::Value>& values, typename Arithmetic::Weight* set) {
  constexpr int kGroup = Arithmetic::kGroup;
  const auto* value = values.data();
  for (int i = 0; i < lanes; ++i) {
    const std::uint16_t* from = codes + std::ptrdiff_t{i} * code_pitch;
    typename Arithmetic::Weight* to = set + std::ptrdiff_t{i / kGroup} * pitch * kGroup + i % kGroup;
    for (int o = 0; o < channels; ++o) to[kGroup * o] = static_cast<typename Arithmetic::Weight>(value[from[o]]);
  }
}

}  // namespace fansim::tiled
