// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <algorithm>
#include <cstring>

#include "base/clones.h"

namespace fansim::base {
namespace {

using Words = std::array<std::uint64_t, 4>;

constexpr std::size_t kPerDraw = 4;             // values per draw
constexpr std::size_t kParts = 4, kBlock = 64;  // streams that are drawn side by side, and draws of each per block

// A step of the generator is linear over GF(2). This is its characteristic polynomial without x^256 (found by Berlekamp
// and Massey from the generator's draws; x^(2^128) modulo it is the published jump). A polynomial in x stands for a
// number of steps.
constexpr Words kCharacteristic{0x9d116f2bb0f0f001, 0x0280002bcefd1a5e, 0x04b4edcf26259f85, 0x0003c03c3f3ecb19};

bool has(const Words& polynomial, unsigned power) { return (polynomial[power / 64] >> power % 64 & 1) != 0; }

void times_x(Words& polynomial) {
  const bool over = has(polynomial, 255);
  for (std::size_t i = 3; i > 0; --i) polynomial[i] = polynomial[i] << 1 | polynomial[i - 1] >> 63;
  polynomial[0] <<= 1;
  for (std::size_t i = 0; over && i < 4; ++i) polynomial[i] ^= kCharacteristic[i];
}

Words product(Words a, const Words& b) {
  Words sum{};
  for (unsigned power = 0; power < 256; ++power, times_x(a))
    for (std::size_t i = 0; has(b, power) && i < 4; ++i) sum[i] ^= a[i];
  return sum;
}

using Lanes __attribute__((vector_size(kParts * sizeof(std::uint64_t)))) = std::uint64_t;

// Steps the generator in every lane.
FANSIM_CLONES void draw(std::array<Lanes, 4>& state, std::array<Lanes, kBlock>& drawn) {
  auto [s0, s1, s2, s3] = state;
  for (Lanes& draws : drawn) {
    Lanes turned = (s1 << 2) + s1;
    turned = (turned << 7) | (turned >> 57);
    draws = (turned << 3) + turned;
    const Lanes t = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 45) | (s3 >> 19);
  }
  state = {s0, s1, s2, s3};
}

// Makes each value from 16 bits of a draw; the 16-bit parts of a draw are taken in little-endian order.
FANSIM_CLONES void scale(const std::uint64_t* draws, std::size_t count, int lo, int hi, std::int8_t* values) {
  const auto range = static_cast<std::uint16_t>(hi - lo + 1);
  const auto* bytes = reinterpret_cast<const char*>(draws);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes + 2 * i, sizeof bits);
    values[i] = static_cast<std::int8_t>(lo + static_cast<int>(std::uint32_t{bits} * range >> 16));
  }
}

}  // namespace

Random::Words const& Random::power_of_two(unsigned bit) {
  static const auto kPowers = [] {
    std::array<Words, 64> powers{Words{2, 0, 0, 0}};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = product(powers[i - 1], powers[i - 1]);
    return powers;
  }();
  return kPowers[bit];
}

void Random::apply(const Words& polynomial) {
  Words sum{};
  for (unsigned power = 0; power < 256; ++power, next())
    for (std::size_t i = 0; has(polynomial, power) && i < sum.size(); ++i) sum[i] ^= state_[i];
  state_ = sum;
}

void Random::skip(std::uint64_t draws) {
  constexpr unsigned kNear = 8;  // bits: applying a power costs as many steps as 2^8 draws, so smaller skips are drawn
  for (std::uint64_t left = draws % (1u << kNear); left > 0; --left) next();
  for (unsigned bit = kNear; bit < 64 && draws >> bit != 0; ++bit)
    if ((draws >> bit & 1) != 0) apply(power_of_two(bit));
}

// Every draw depends on the one before, so one stream cannot be vectorised. The stream is therefore cut into
// consecutive parts of 2^bits draws, and the parts are drawn side by side. Each value lands where serial drawing puts
// it.
void Random::fill_side_by_side(std::int8_t* values, unsigned bits, int lo, int hi) {
  const std::size_t each = std::size_t{1} << bits;
  std::array<Lanes, 4> state;
  for (std::size_t part = 0; part < kParts; ++part, apply(power_of_two(bits)))
    for (std::size_t word = 0; word < 4; ++word) state[word][part] = state_[word];
  for (std::size_t done = 0; done < each; done += kBlock) {
    std::array<Lanes, kBlock> drawn;
    std::array<std::int8_t, kBlock * kParts * kPerDraw> scaled;
    draw(state, drawn);
    scale(reinterpret_cast<const std::uint64_t*>(drawn.data()), scaled.size(), lo, hi, scaled.data());
    for (std::size_t part = 0; part < kParts; ++part)
      for (std::size_t i = 0; i < kBlock; ++i)
        std::memcpy(values + (part * each + done + i) * kPerDraw, &scaled[(i * kParts + part) * kPerDraw], kPerDraw);
  }
}

void Random::fill(std::int8_t* values, std::size_t count, int lo, int hi) {
  // A part has 2^kLeast to 2^kMost draws: in shorter parts the jump to the next part costs too much, longer parts lie
  // too far apart in memory.
  constexpr unsigned kLeast = 11, kMost = 20;
  std::size_t done = 0;
  for (unsigned bits = kMost; bits >= kLeast; --bits)
    for (const std::size_t all = kParts * kPerDraw << bits; count - done >= all; done += all)
      fill_side_by_side(values + done, bits, lo, hi);
  for (; done < count; done += kPerDraw) {
    const std::uint64_t draw = next();
    scale(&draw, std::min(kPerDraw, count - done), lo, hi, values + done);
  }
}

}  // namespace fansim::base
