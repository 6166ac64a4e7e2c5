// SPDX-License-Identifier: Apache-2.0
#include "kernels/window_dot.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "base/random.h"

namespace fansim::window_dot_test {

using kernels::kChannels;
using kernels::kQuad;

namespace {

struct Case {
  std::vector<std::uint8_t> x;
  std::vector<std::int32_t> offsets;
  std::vector<std::int8_t> weights;  // [round][slice]
  std::vector<std::int32_t> start[kernels::kMostSlices], sums;
  std::vector<kernels::DotRound> rounds;  // refer to the vectors above, which may be moved but not copied
  kernels::WindowDot dot;
};

// `extreme`: every byte is at one end of its range. `low`: the range of the windows' bytes ends at 127.
Case random_case(base::Random& random, bool extreme, bool low = false) {
  Case c;
  const int most = low ? 127 : 255;
  c.dot.low = low;
  // Widened weights may or may not fit the room for them.
  const bool many = random.chance(20);
  const int windows = random.uniform(1, 40), quads = random.uniform(1, many ? 200 : 40), step = random.uniform(0, 24);
  const int round_count = random.uniform(1, many ? 12 : 4), x_bytes = windows * step + 600;
  c.x.resize(static_cast<std::size_t>(round_count * x_bytes));
  for (auto& x : c.x) x = static_cast<std::uint8_t>(extreme ? most * random.uniform(0, 1) : random.uniform(0, most));
  for (int q = 0; q < quads; ++q) c.offsets.push_back(random.uniform(0, 590));
  c.dot.slice_count = random.uniform(1, kernels::kMostSlices);
  c.dot.sum_step = kChannels * random.uniform(1, 2);
  c.dot.add = random.chance(50);
  c.sums.resize(static_cast<std::size_t>(kernels::kMostSlices * windows * c.dot.sum_step));
  for (auto& sum : c.sums) sum = random.uniform(INT32_MIN, INT32_MAX);
  for (int i = 0; i < round_count * kernels::kMostSlices * quads * kChannels * kQuad; ++i)
    c.weights.push_back(
        static_cast<std::int8_t>(extreme ? (random.chance(50) ? -128 : 127) : random.uniform(-128, 127)));
  for (auto& start : c.start)
    for (int i = 0; i < kChannels; ++i) start.push_back(random.uniform(INT32_MIN, INT32_MAX));
  for (int r = 0; r < round_count; ++r)
    c.rounds.push_back(
        {c.x.data() + r * x_bytes, c.weights.data() + r * kernels::kMostSlices * quads * kChannels * kQuad});
  c.dot.round_count = round_count;
  c.dot.window_step = step;
  c.dot.windows = windows;
  c.dot.offsets = c.offsets.data();
  c.dot.quads = quads;
  return c;
}

// The sums that `run` leaves.
template <class Run>
std::vector<std::int32_t> sums_of(const Case& c, Run&& run) {
  std::vector<std::int32_t> sums = c.sums;
  kernels::WindowDot dot = c.dot;
  dot.rounds = c.rounds.data();
  for (int s = 0; s < kernels::kMostSlices; ++s)
    dot.slices[s] = {s * dot.quads * kChannels * kQuad, c.start[s].data(),
                     sums.data() + s * dot.windows * dot.sum_step};
  run(dot);
  return sums;
}

void by_definition(const kernels::WindowDot& dot) {
  for (int s = 0; s < dot.slice_count; ++s)
    for (int w = 0; w < dot.windows; ++w)
      for (int c = 0; c < kChannels; ++c) {
        std::int32_t& to = dot.slices[s].sums[w * dot.sum_step + c];
        std::int64_t sum = std::int64_t{dot.slices[s].start[c]} + (dot.add ? to : 0);
        for (int r = 0; r < dot.round_count; ++r)
          for (int q = 0; q < dot.quads; ++q)
            for (int i = 0; i < kQuad; ++i)
              sum += dot.rounds[r].x[w * dot.window_step + dot.offsets[q] + i] *
                     dot.rounds[r].weights[dot.slices[s].weights + (q * kChannels + c) * kQuad + i];
        to = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
      }
}

}  // namespace

TEST_CASE("every version of the window product is exact over the full range of bytes") {
  for (int v = 0; v < kernels::kDotVersions; ++v) {
    const kernels::DotVersion& version = kernels::dot_versions()[v];
    if (!version.supported) continue;
    CAPTURE(version.name);
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      CAPTURE(seed);
      base::Random random(seed);
      const Case c = random_case(random, seed % 4 < 2, seed % 2 == 0);
      REQUIRE(sums_of(c, version.window_dot) == sums_of(c, by_definition));
    }
  }
}

TEST_CASE("every version packs weights into quads with their sums and zeros for channels there are not") {
  for (int v = 0; v < kernels::kDotVersions; ++v) {
    const kernels::DotVersion& version = kernels::dot_versions()[v];
    if (!version.supported) continue;
    CAPTURE(version.name);
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      CAPTURE(seed);
      base::Random random(seed);
      kernels::QuadPack pack;
      pack.channels = random.uniform(1, kChannels);
      pack.channel_step = random.uniform(kQuad, 60);
      pack.quads = random.uniform(1, 30);
      std::vector<std::int32_t> offsets;
      for (int q = 0; q < pack.quads; ++q) offsets.push_back(random.uniform(0, 100));
      // Nothing behind the last quad of the last channel may be read: the sanitized build would notice.
      std::vector<std::uint8_t> weights(
          static_cast<std::size_t>((pack.channels - 1) * pack.channel_step + 100 + kQuad));
      for (auto& weight : weights) weight = static_cast<std::uint8_t>(random.uniform(0, 255));
      pack.weights = weights.data();
      pack.offsets = offsets.data();
      std::vector<std::int8_t> packed(static_cast<std::size_t>(pack.quads * kChannels * kQuad));
      std::vector<std::int32_t> sums(kChannels), expected(kChannels);
      version.pack_quads(pack, packed.data(), sums.data());
      for (int q = 0; q < pack.quads; ++q)
        for (int c = 0; c < kChannels; ++c)
          for (int i = 0; i < kQuad; ++i) {
            const int at = offsets[static_cast<std::size_t>(q)] + c * pack.channel_step + i;
            const auto weight = static_cast<std::int8_t>(c < pack.channels ? weights[static_cast<std::size_t>(at)] : 0);
            REQUIRE(packed[static_cast<std::size_t>((q * kChannels + c) * kQuad + i)] == weight);
            expected[static_cast<std::size_t>(c)] += weight;
          }
      REQUIRE(sums == expected);
    }
  }
}

TEST_CASE("there is a version for any processor") {
  CHECK(kernels::dot_versions()[kernels::kDotVersions - 1].supported);
}

TEST_CASE("the window product and the packing of pairs are exact over the full range of 16 bits") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    base::Random random(seed, "pairs");
    Case c = random_case(random, seed % 4 == 0);
    if (seed % 4 == 1) {  // the two products of a pair together are 2^31
      for (std::size_t i = 0; i < c.x.size(); ++i) c.x[i] = i % 2 == 0 ? 0 : 0x80;
      for (std::int32_t& offset : c.offsets) offset &= ~1;
      c.dot.window_step &= ~1;
      for (std::size_t i = 0; i < c.weights.size(); ++i) c.weights[i] = i % 2 == 0 ? 0 : -128;
    }
    const auto number = [](const void* from) {
      std::int16_t value;
      std::memcpy(&value, from, sizeof(value));
      return std::int64_t{value};
    };
    const auto by_pairs = [&](const kernels::WindowDot& dot) {
      for (int s = 0; s < dot.slice_count; ++s)
        for (int w = 0; w < dot.windows; ++w)
          for (int o = 0; o < kChannels; ++o) {
            std::int32_t& to = dot.slices[s].sums[w * dot.sum_step + o];
            std::int64_t sum = std::int64_t{dot.slices[s].start[o]} + (dot.add ? to : 0);
            for (int r = 0; r < dot.round_count; ++r)
              for (int q = 0; q < dot.quads; ++q)
                for (int i = 0; i < kQuad; i += 2)
                  sum += number(dot.rounds[r].x + w * dot.window_step + dot.offsets[q] + i) *
                         number(dot.rounds[r].weights + dot.slices[s].weights + (q * kChannels + o) * kQuad + i);
            to = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
          }
    };
    REQUIRE(sums_of(c, kernels::window_dot_pairs) == sums_of(c, by_pairs));

    const int channels = random.uniform(1, kChannels), step = 2 * random.uniform(2, 30);
    const std::int32_t offset = 2 * random.uniform(0, 50);
    std::vector<std::uint8_t> weights(static_cast<std::size_t>((channels - 1) * step + offset + kQuad));
    for (auto& weight : weights) weight = static_cast<std::uint8_t>(random.uniform(0, 255));
    std::vector<std::int8_t> packed(kChannels * kQuad);
    std::vector<std::int32_t> sums(kChannels, 1);
    kernels::pack_pairs({weights.data(), &offset, 1, step, channels}, packed.data(), sums.data());
    for (int o = 0; o < kChannels; ++o) {
      const std::uint8_t* const from = weights.data() + offset + o * step;
      REQUIRE(sums[static_cast<std::size_t>(o)] == (o < channels ? number(from) + number(from + 2) : 0));
      if (o < channels) REQUIRE(std::memcmp(packed.data() + o * kQuad, from, kQuad) == 0);
    }
  }
}

}  // namespace fansim::window_dot_test
