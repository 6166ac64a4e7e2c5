// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

// The payloads between the blocks of a kernel of reconfigurable LUTs.
namespace fansim::blocks {

constexpr int kMaxKernelInputs = 64;
constexpr int kMaxKernelSlices = 4;

struct Coefficients {
  std::array<std::int16_t, kMaxKernelInputs> values;
};

// The bits that all coefficients' tables get at one edge. Pair j of a product's bits takes bit 2j + 1 of its word.
struct ReloadBeat {
  std::array<std::uint32_t, kMaxKernelInputs> lower;  // for the unsigned slices
  std::array<std::uint32_t, kMaxKernelInputs> top;    // for the signed slice
};

struct KernelInputs {
  int index = 0;
  bool new_coefficients = false;  // this is the first vector for the next set
  std::array<std::int16_t, kMaxKernelInputs> x;
  template <class F>
  void wires(F&& f) const {
    f("index", static_cast<std::uint32_t>(index), 32);
    f("new_coefficients", new_coefficients, 1);
  }
};

// Entries of every slice of every input (arith::LutKernel::entry): [slice][input].
struct TableEntries {
  int index = 0;
  std::array<std::uint32_t, kMaxKernelInputs * kMaxKernelSlices> bits;
};

struct KernelSum {
  int index = 0;
  std::int64_t value = 0;
  template <class F>
  void wires(F&& f) const {
    f("index", static_cast<std::uint32_t>(index), 32);
    f("value", static_cast<std::uint64_t>(value), 48);
  }
};

}  // namespace fansim::blocks
