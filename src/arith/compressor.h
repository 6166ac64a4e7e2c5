// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arith/lut_kernel.h"

namespace fansim::arith {

// Generalised parallel counters of UltraScale slices: how many bits of each column they take, from the lowest, and how
// many they give. All but the full adder use the carry chain, whose first carry is 0.
enum class Counter { c606_5, c6_3, c3_2 };
struct CounterShape {
  std::vector<int> takes;
  int gives;
  int luts;
};
const CounterShape& shape(Counter counter);

// Bits per column, lowest first.
using Heights = std::vector<int>;

struct CounterPlace {
  Counter counter;
  int column;
};

// Reduces a heap of bits to three rows, one register per stage, and adds those with one LUT per bit (a ternary adder).
// In every stage and column from the lowest, as long as more than three bits would be left and three are there: two
// sixes with an empty column between (606;5) if the column and the one above the next have six bits, else (6;3), else
// (3;2).
class CompressorPlan {
 public:
  struct Stage {
    std::vector<CounterPlace> counters;
    Heights heights;  // after the stage
  };

  explicit CompressorPlan(Heights heights);

  const Heights& heights() const { return heights_; }
  const std::vector<Stage>& stages() const { return stages_; }
  const Heights& rows() const { return stages_.empty() ? heights_ : stages_.back().heights; }
  int adder_first() const;  // the first column with more than one bit
  int latency() const { return static_cast<int>(stages_.size()) + 1; }
  int luts() const;
  int registers() const;

 private:
  Stage stage(const Heights& from) const;

  Heights heights_;
  std::vector<Stage> stages_;
};

// The bits of a kernel's tables and its constant.
Heights heap_of(const LutKernel& kernel);

}  // namespace fansim::arith
