// SPDX-License-Identifier: Apache-2.0
#include "arith/compressor.h"

#include <algorithm>
#include <utility>

namespace fansim::arith {
namespace {

constexpr int kAdderRows = 3;

bool fits(Counter counter, const Heights& left, std::size_t column) {
  const std::vector<int>& takes = shape(counter).takes;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (takes[i] > 0 && (column + i >= left.size() || left[column + i] < takes[i])) return false;
  }
  return true;
}

Counter best(const Heights& left, std::size_t column) {
  for (const Counter counter : {Counter::c606_5, Counter::c6_3}) {
    if (fits(counter, left, column)) return counter;
  }
  return Counter::c3_2;
}

}  // namespace

const CounterShape& shape(Counter counter) {
  static const std::vector<CounterShape> shapes{{{6, 0, 6}, 5, 4}, {{6}, 3, 2}, {{3}, 2, 1}};
  return shapes[static_cast<std::size_t>(counter)];
}

CompressorPlan::CompressorPlan(Heights heights) : heights_(std::move(heights)) {
  const auto too_high = [](int height) { return height > kAdderRows; };
  while (std::any_of(rows().begin(), rows().end(), too_high)) stages_.push_back(stage(rows()));
}

CompressorPlan::Stage CompressorPlan::stage(const Heights& from) const {
  Stage result;
  Heights left = from, given(from.size());
  for (std::size_t column = 0; column < from.size(); ++column) {
    while (left[column] + given[column] > kAdderRows && left[column] >= 3) {
      const Counter counter = best(left, column);
      const CounterShape& form = shape(counter);
      for (std::size_t i = 0; i < form.takes.size() && column + i < from.size(); ++i) left[column + i] -= form.takes[i];
      for (std::size_t i = 0; i < static_cast<std::size_t>(form.gives) && column + i < from.size(); ++i)
        ++given[column + i];
      result.counters.push_back({counter, static_cast<int>(column)});
    }
  }
  for (std::size_t column = 0; column < from.size(); ++column) left[column] += given[column];
  result.heights = std::move(left);
  return result;
}

int CompressorPlan::adder_first() const {
  const Heights& last = rows();
  const auto added = std::find_if(last.begin(), last.end(), [](int height) { return height > 1; });
  return static_cast<int>(added - last.begin());
}

int CompressorPlan::luts() const {
  int luts = static_cast<int>(heights_.size()) - adder_first();
  for (const Stage& stage : stages_) {
    for (const CounterPlace& place : stage.counters) luts += shape(place.counter).luts;
  }
  return luts;
}

int CompressorPlan::registers() const {
  int bits = static_cast<int>(heights_.size());
  for (const Stage& stage : stages_) {
    for (const int height : stage.heights) bits += height;
  }
  return bits;
}

Heights heap_of(const LutKernel& kernel) {
  Heights heights(static_cast<std::size_t>(kernel.sum_bits()));
  for (int column = 0; column < kernel.sum_bits(); ++column) {
    int& height = heights[static_cast<std::size_t>(column)];
    for (int s = 0; s < kernel.slices(); ++s) {
      const int bit = column - kernel.slice_bits() * s;
      if (bit >= kernel.first_bit(s) && bit < kernel.product_bits()) height += kernel.format().inputs;
    }
    height += static_cast<int>(kernel.constant() >> column & 1);
  }
  return heights;
}

}  // namespace fansim::arith
