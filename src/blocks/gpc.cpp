// SPDX-License-Identifier: Apache-2.0
#include "blocks/gpc.h"

#include <algorithm>

namespace fansim::blocks {
namespace {

using primitives::Carry8;
using primitives::Lut6_2;

int ones_in(unsigned bits) { return __builtin_popcount(bits); }

// Returns a LUT whose O6 is a function of six inputs.
template <class Function>
Lut6_2 lut6(Function&& o6) {
  std::uint64_t init = 0;
  for (unsigned in = 0; in < 64; ++in) init |= std::uint64_t{o6(in) ? 1u : 0u} << in;
  return Lut6_2({init});
}

// Returns a LUT whose O6 and O5 are functions of the same five inputs; I5 is 1.
template <class Upper, class Lower>
Lut6_2 lut5_5(Upper&& o6, Lower&& o5) {
  std::uint64_t init = 0;
  for (unsigned in = 0; in < 32; ++in) {
    init |= std::uint64_t{o5(in) ? 1u : 0u} << in;
    init |= std::uint64_t{o6(in) ? 1u : 0u} << (in + 32);
  }
  return Lut6_2({init});
}

Lut6_2::Outputs look_up(const Lut6_2& lut, const int* bits, int count) {
  Lut6_2::Inputs in;
  in.i5 = true;
  bool* const pins[] = {&in.i0, &in.i1, &in.i2, &in.i3, &in.i4, &in.i5};
  for (int i = 0; i < count; ++i) *pins[i] = bits[i] != 0;
  return lut.step(in);
}

// Sets two positions of the chain for six bits. The first takes their parity, with the sixth bit on the bypass. The
// second says whether the first five bits hold two or three ones (the carry passes) or four or five (the carry is 1).
void six(const int* bits, int position, Carry8::Inputs& carry) {
  static const Lut6_2 parity = lut6([](unsigned in) { return ones_in(in) % 2 == 1; });
  static const Lut6_2 pairs =
      lut5_5([](unsigned in) { return ones_in(in) / 2 == 1; }, [](unsigned in) { return ones_in(in) / 2 == 2; });
  carry.s |= look_up(parity, bits, 6).o6.value << position;
  carry.di |= static_cast<std::uint64_t>(bits[5]) << position;
  const Lut6_2::Outputs two = look_up(pairs, bits, 5);
  carry.s |= two.o6.value << (position + 1);
  carry.di |= two.o5.value << (position + 1);
}

std::vector<int> sixes(const std::vector<int>& bits) {
  static const Carry8 chain({Carry8::Type::dual_cy4});  // the upper half belongs to another counter
  Carry8::Inputs carry;
  const int positions = static_cast<int>(bits.size()) / 3;
  for (int position = 0; position < positions; position += 2)
    six(&bits[static_cast<std::size_t>(3 * position)], position, carry);
  const Carry8::Outputs out = chain.step(carry);
  std::vector<int> result;
  for (int position = 0; position < positions; ++position)
    result.push_back(static_cast<int>(out.o.value >> position & 1));
  result.push_back(static_cast<int>(out.co.value >> (positions - 1) & 1));
  return result;
}

std::vector<int> full_adder(const std::vector<int>& bits) {
  static const Lut6_2 lut =
      lut5_5([](unsigned in) { return ones_in(in & 7) % 2 == 1; }, [](unsigned in) { return ones_in(in & 7) >= 2; });
  const Lut6_2::Outputs out = look_up(lut, bits.data(), 3);
  return {static_cast<int>(out.o6.value), static_cast<int>(out.o5.value)};
}

// Takes the oldest bits of each column that the counter covers.
std::vector<int> take(std::vector<std::vector<int>>& columns, const arith::CounterPlace& place) {
  std::vector<int> bits;
  const std::vector<int>& takes = arith::shape(place.counter).takes;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (takes[i] == 0) continue;
    std::vector<int>& column = columns[static_cast<std::size_t>(place.column) + i];
    bits.insert(bits.end(), column.begin(), column.begin() + takes[i]);
    column.erase(column.begin(), column.begin() + takes[i]);
  }
  return bits;
}

}  // namespace

std::vector<int> count_bits(arith::Counter counter, const std::vector<int>& bits) {
  return counter == arith::Counter::c3_2 ? full_adder(bits) : sixes(bits);
}

std::uint64_t add_three(std::uint64_t a, std::uint64_t b, std::uint64_t c, int width) {
  static const Lut6_2 lut =
      lut5_5([](unsigned in) { return ones_in(in & 15) % 2 == 1; }, [](unsigned in) { return ones_in(in & 7) >= 2; });
  static const Carry8 chain({Carry8::Type::single_cy8});
  std::uint64_t sum = 0;
  int saved = 0;
  bool carried = false;
  for (int first = 0; first < width; first += 8) {
    Carry8::Inputs carry;
    carry.ci = carried;
    for (int bit = first; bit < std::min(first + 8, width); ++bit) {
      const int bits[] = {static_cast<int>(a >> bit & 1), static_cast<int>(b >> bit & 1),
                          static_cast<int>(c >> bit & 1), saved};
      const Lut6_2::Outputs out = look_up(lut, bits, 4);
      carry.s |= out.o6.value << (bit - first);
      carry.di |= static_cast<std::uint64_t>(saved) << (bit - first);
      saved = static_cast<int>(out.o5.value);
    }
    const Carry8::Outputs out = chain.step(carry);
    sum |= out.o.value << first;
    carried = (out.co.value >> 7 & 1) != 0;
  }
  return sum & primitives::ones(width);
}

std::uint64_t compress(const arith::CompressorPlan& plan, std::vector<std::vector<int>> columns) {
  for (const arith::CompressorPlan::Stage& stage : plan.stages()) {
    std::vector<std::vector<int>> next(columns.size());
    for (const arith::CounterPlace& place : stage.counters) {
      const std::vector<int> given = count_bits(place.counter, take(columns, place));
      for (std::size_t i = 0; i < given.size() && static_cast<std::size_t>(place.column) + i < next.size(); ++i)
        next[static_cast<std::size_t>(place.column) + i].push_back(given[i]);
    }
    for (std::size_t i = 0; i < columns.size(); ++i)
      next[i].insert(next[i].end(), columns[i].begin(), columns[i].end());
    columns = std::move(next);
  }
  std::array<std::uint64_t, 3> rows{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t row = 0; row < columns[i].size(); ++row)
      rows[row] |= static_cast<std::uint64_t>(columns[i][row]) << i;
  }
  return add_three(rows[0], rows[1], rows[2], static_cast<int>(columns.size()));
}

}  // namespace fansim::blocks
