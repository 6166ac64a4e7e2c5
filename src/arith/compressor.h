// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arith/lut_kernel.h"

namespace fansim::arith {

// Generalised parallel counters of UltraScale slices. A counter takes a number of bits from each column, beginning with
// its lowest one, and gives their sum in `gives` bits. All but the full adder use the carry chain, whose first carry is
// 0.
enum class Counter { c606_5, c6_3, c3_2 };
struct CounterShape {
  std::vector<int> takes;
  int gives;
  int luts;
};
const CounterShape& shape(Counter counter);

// Holds the number of bits of each column, lowest first.
using Heights = std::vector<int>;

struct CounterPlace {
  Counter counter;
  int column;
};

// Plans how a heap of bits is reduced to three rows, with one register per stage. A ternary adder of one LUT per bit
// then adds the rows. A stage visits its columns from the lowest, and places counters in a column as long as more than
// three bits would be left and three are there. It places two sixes with an empty column between (606;5) if the column
// and the second one above it have six bits each, otherwise (6;3), otherwise (3;2).
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
  int adder_first() const;  // returns the first column with more than one bit
  int latency() const { return static_cast<int>(stages_.size()) + 1; }
  int luts() const;
  int registers() const;

 private:
  Stage stage(const Heights& from) const;

  Heights heights_;
  std::vector<Stage> stages_;
};

// Returns the bits of a kernel's tables and of its constant, by column.
Heights heap_of(const LutKernel& kernel);

}  // namespace fansim::arith
