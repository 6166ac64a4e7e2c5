// SPDX-License-Identifier: Apache-2.0
#include "kernels/requantise_row.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/vector.h"

namespace fansim::kernels {
namespace {

using Lane = std::int32_t;
using Lanes __attribute__((vector_size(kChannels * sizeof(Lane)))) = Lane;
using Reals __attribute__((vector_size(kChannels * sizeof(double)))) = double;

// The output bytes may alias anything, so `given` is copied first.
FANSIM_CLONES void requantise(const RequantiseRow& given, const arith::QuantiserFormat& format) {
  const RequantiseRow row = given;
  const int unused = 32 - format.accumulator_bits;
  const std::int32_t most = (1 << (format.operand_bits - 1)) - 1, least = -most - 1;
  const std::int32_t highest = row.is_unsigned ? 255 : 127;
  const std::int32_t lowest = std::max(row.is_unsigned ? 0 : -128, row.lowest);
  std::int32_t half[kChannels];
  for (int c = 0; c < kChannels; ++c)
    half[c] = format.rounding == arith::Rounding::half_up && row.shift[c] > 0 ? 1 << (row.shift[c] - 1) : 0;
  for (int w = 0; w < row.windows; ++w) {
    const std::int32_t* sums = row.sums + w * row.sum_step;
    std::uint8_t bytes[kChannels];
    for (int c = 0; c < kChannels; ++c) {
      const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[c]) << unused);
      const std::int32_t sum = std::min(std::max(low >> unused, least), most);
      const std::int32_t value = row.zero_point + ((sum * row.scale[c] + half[c]) >> row.shift[c]);
      bytes[c] = static_cast<std::uint8_t>(std::min(std::max(value, lowest), highest));
    }
    std::uint8_t* to = row.bytes + w * row.byte_step;
    if (row.channels == kChannels)
      std::memcpy(to, bytes, kChannels);  // a constant size needs no call
    else
      std::memcpy(to, bytes, static_cast<std::size_t>(row.channels));
  }
}

// Holds the constants of the quantiser's stages.
struct Stages {
  int unused;
  Lanes least, most;      // of the operand
  Lanes lowest, highest;  // of the results, with the activation
  Lanes end;              // results below it saturate
  Lanes zero, scale, shift, half;

  Stages(const RequantiseRow& row, const arith::QuantiserFormat& format) : unused(32 - format.accumulator_bits) {
    const Lanes none = {};
    most = none + ((1 << (format.operand_bits - 1)) - 1);
    least = -most - 1;
    highest = none + (row.is_unsigned ? 255 : 127);
    lowest = none + std::max(row.is_unsigned ? 0 : -128, row.lowest);
    end = none + (row.relu ? std::numeric_limits<Lane>::min() : row.is_unsigned ? 0 : -128);
    zero = none + row.zero_point;
    for (int c = 0; c < kChannels; ++c) {
      scale[c] = row.scale[c];
      shift[c] = row.shift[c];
      half[c] = format.rounding == arith::Rounding::half_up && row.shift[c] > 0 ? 1 << (row.shift[c] - 1) : 0;
    }
  }
};

// GCC warns of vectors that are passed where registers are narrower; these functions are inlined, so that none is.
#pragma GCC diagnostic ignored "-Wpsabi"
#define FANSIM_INLINE [[gnu::always_inline]] inline

template <class Vector>
FANSIM_INLINE Vector larger(const Vector& a, const Vector& b) {
  return a < b ? b : a;
}
template <class Vector>
FANSIM_INLINE Vector smaller(const Vector& a, const Vector& b) {
  return a < b ? a : b;
}

FANSIM_INLINE Lanes load(const Lane* sums) {
  Lanes lanes;
  std::memcpy(&lanes, sums, sizeof lanes);
  return lanes;
}

FANSIM_INLINE Lanes held(const Stages& s, const Lanes& sum) { return (sum << s.unused) >> s.unused; }
FANSIM_INLINE Lanes operand(const Stages& s, const Lanes& sum) {
  return smaller(larger(held(s, sum), s.least), s.most);
}
FANSIM_INLINE Lanes scaled(const Stages& s, const Lanes& operand) {
  return s.zero + ((operand * s.scale + s.half) >> s.shift);
}

// Returns in which channels a sum does not pass all registers as it is.
FANSIM_INLINE Lanes odd(const Stages& s, const Lanes& sum) {
  const Lanes passed = operand(s, sum), value = scaled(s, passed);
  return (passed ^ sum) | (larger(smaller(value, s.highest), s.end) ^ value);
}

// Counts, for each channel, values that left a range, and the extremes of all.
struct Counts {
  Lanes count = {}, highest = Lanes{} + std::numeric_limits<Lane>::min(),
        lowest = Lanes{} + std::numeric_limits<Lane>::max();

  FANSIM_INLINE void add(const Lanes& values, const Lanes& left) {
    count -= left;  // which is -1 where it is true
    highest = larger(highest, values);
    lowest = smaller(lowest, values);
  }
  // `least` and `most` are the ends of the range.
  void add_to(arith::Beyond& beyond, int channels, std::int64_t least, std::int64_t most) const {
    for (int c = 0; c < channels; ++c)
      if (count[c] > 0) beyond.add(std::max(highest[c] - most, least - lowest[c]), count[c]);
  }
};

// Returns what wide registers make of the sums. The products are whole numbers of less than 2^53 before and after they
// are shifted, so that double precision holds them.
FANSIM_INLINE Lanes stored(const Stages& s, const Lanes& sum, const Reals& scale, const Reals& half) {
  const Reals beyond = Reals{} + static_cast<double>(1 << 20);  // beyond every result
  const Reals wide = smaller(larger(__builtin_convertvector(sum, Reals) * scale + half, -beyond), beyond);
  const Lanes cut = __builtin_convertvector(wide, Lanes);
  const auto up = wide < __builtin_convertvector(cut, Reals);  // negative numbers were cut upwards
  return smaller(larger(s.zero + cut + __builtin_convertvector(up, Lanes), s.lowest), s.highest);
}

// Windows are looked at in at most 64 blocks, small ones if there are few, because most have nothing to count.
int block_of(int windows) { return std::max(16, (windows + 63) / 64); }

// Counts what saturates in those blocks of a row's windows whose bit is set.
FANSIM_CLONES void count_blocks(const RequantiseRow& row, const arith::QuantiserFormat& format, const Stages& with,
                                std::uint64_t blocks, arith::Saturation& seen) {
  const Stages s = with;
  Counts wrapped, saturated, clipped;
  Lanes changed = {};
  Reals scale, half;
  for (int c = 0; c < kChannels; ++c) {
    scale[c] = std::ldexp(row.scale[c], -row.shift[c]);
    half[c] = s.half[c] > 0 ? 0.5 : 0.0;
  }
  const int block = block_of(row.windows);
  for (int w = 0; w < row.windows; ++w) {
    if ((blocks >> (w / block) & 1) == 0) continue;
    const Lanes sum = load(row.sums + w * row.sum_step), kept = held(s, sum), passed = operand(s, sum);
    const Lanes value = scaled(s, passed);
    wrapped.add(sum, kept != sum);
    saturated.add(kept, passed != kept);
    clipped.add(value, (value > s.highest) | (value < s.end));
    changed -= smaller(larger(value, s.lowest), s.highest) != stored(s, sum, scale, half);
  }
  const std::int64_t end = std::int64_t{1} << (format.accumulator_bits - 1);
  wrapped.add_to(seen.accumulator, row.channels, -end, end - 1);
  saturated.add_to(seen.operand, row.channels, s.least[0], s.most[0]);
  clipped.add_to(seen.output, row.channels, s.end[0], s.highest[0]);
  for (int c = 0; c < row.channels; ++c) seen.changed += changed[c];
}

// Finds blocks in which something saturates by the least and the largest sum of each channel: all between them pass if
// they do.
FANSIM_CLONES void count(const RequantiseRow& row, const arith::QuantiserFormat& format, arith::Saturation& seen) {
  const Stages s(row, format);
  Lanes used;
  for (int c = 0; c < kChannels; ++c) used[c] = c < row.channels ? -1 : 0;
  std::uint64_t blocks = 0;
  const int block = block_of(row.windows);
  for (int first = 0, bit = 0; first < row.windows; first += block, ++bit) {
    const Lane* sums = row.sums + first * row.sum_step;
    Lanes least = load(sums), most = least;
    for (int w = first + 1; w < std::min(first + block, row.windows); ++w) {
      const Lanes sum = load(sums += row.sum_step);
      least = smaller(sum, least);
      most = larger(sum, most);
    }
    std::uint64_t words[sizeof(Lanes) / sizeof(std::uint64_t)], all = 0;
    const Lanes found = (odd(s, least) | odd(s, most)) & used;
    std::memcpy(words, &found, sizeof words);
    for (const std::uint64_t word : words) all |= word;
    if (all != 0) blocks |= std::uint64_t{1} << bit;
  }
  if (blocks != 0) count_blocks(row, format, s, blocks, seen);
}

}  // namespace

void requantise_row(const RequantiseRow& row, const arith::QuantiserFormat& format, arith::Saturation& seen) {
  count(row, format, seen);
  requantise(row, format);
}

}  // namespace fansim::kernels
