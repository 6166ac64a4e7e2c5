// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_mac.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.h"
#include "base/units.h"
#include "support/single_precision.h"

namespace fansim::tile_mac_test {

using test::add;
using test::multiply;
using test::tree;

namespace {

constexpr std::uint64_t kSeed = 61;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int16_t full_range(base::Random& random) {
  if (random.chance(25)) return random.chance(50) ? -32768 : 32767;
  return static_cast<std::int16_t>(random.uniform(-32768, 32767));
}

float real(base::Random& random) {
  return static_cast<float>(random.uniform(-1000000, 1000000)) * std::ldexp(1.0F, random.uniform(-30, 5));
}

}  // namespace

TEST_CASE("every variant of the tile kernel is exact modulo 2^32 on the full range of 16 bits") {
  const auto variants = kernels::multiply_add_variants();
  REQUIRE(std::string(variants.back().name) == "plain");
  for (const kernels::MultiplyAdd& variant : variants) {
    INFO(variant.name << ", seed " << kSeed);
    base::Random random(kSeed);
    for (int channels = kernels::kTileChannels; channels <= 224; channels += kernels::kTileChannels) {
      for (const int pairs : {1, 2, 12, 33}) {
        std::vector<std::int16_t> x(at(2 * pairs)), w(at(2 * pairs * channels));
        std::vector<std::int32_t> sums(at(channels));
        for (std::int16_t& v : x) v = full_range(random);
        for (std::int16_t& v : w) v = full_range(random);
        if (random.chance(30)) {
          std::fill(x.begin(), x.end(), -32768);
          std::fill(w.begin(), w.end(), -32768);
        }
        for (std::int32_t& s : sums) s = static_cast<std::int32_t>(random.next());
        std::vector<std::int32_t> expected = sums;
        for (int o = 0; o < channels; ++o) {
          std::int64_t sum = expected[at(o)];
          for (int i = 0; i < 2 * pairs; ++i) sum += std::int64_t{x[at(i)]} * w[at((i / 2 * channels + o) * 2 + i % 2)];
          expected[at(o)] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
        }
        variant.run(x.data(), w.data(), pairs, channels, sums.data());
        REQUIRE(sums == expected);
      }
    }
  }
}

TEST_CASE("every variant of the tile kernel of bytes is exact modulo 2^32 on the full range of bytes") {
  for (const kernels::MultiplyAddBytes& variant : kernels::multiply_add_bytes_variants()) {
    INFO(variant.name << ", seed " << kSeed);
    base::Random random(kSeed);
    for (int channels = kernels::kTileChannels; channels <= 224; channels += kernels::kTileChannels) {
      for (const int quads : {1, 2, 6, 33}) {
        std::vector<std::uint8_t> x(at(4 * quads));
        std::vector<std::int8_t> w(at(4 * quads * channels));
        std::vector<std::int32_t> sums(at(channels));
        for (std::uint8_t& v : x) v = static_cast<std::uint8_t>(random.chance(25) ? 255 : random.uniform(0, 255));
        for (std::int8_t& v : w) v = static_cast<std::int8_t>(random.chance(25) ? -128 : random.uniform(-128, 127));
        for (std::int32_t& s : sums) s = static_cast<std::int32_t>(random.next());
        std::vector<std::int32_t> expected = sums;
        for (int o = 0; o < channels; ++o) {
          std::int64_t sum = expected[at(o)];
          for (int i = 0; i < 4 * quads; ++i) sum += x[at(i)] * w[at((i / 4 * channels + o) * 4 + i % 4)];
          expected[at(o)] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
        }
        variant.run(x.data(), w.data(), quads, channels, sums.data());
        REQUIRE(sums == expected);
      }
    }
  }
}

TEST_CASE("every variant of the wide tile kernel is exact on the full range of 16 bits") {
  for (const kernels::MultiplyAddWide& variant : kernels::multiply_add_wide_variants()) {
    INFO(variant.name << ", seed " << kSeed);
    base::Random random(kSeed);
    for (int channels = kernels::kTileChannels; channels <= 80; channels += kernels::kTileChannels) {
      for (const int pairs : {1, 7, 256}) {
        std::vector<std::int16_t> x(at(2 * pairs)), w(at(2 * pairs * channels));
        std::vector<std::int64_t> sums(at(channels));
        for (std::int16_t& v : x) v = full_range(random);
        for (std::int16_t& v : w) v = full_range(random);
        if (random.chance(30)) {
          std::fill(x.begin(), x.end(), -32768);
          std::fill(w.begin(), w.end(), -32768);
        }
        for (std::int64_t& s : sums) s = static_cast<std::int64_t>(random.next()) >> 8;
        std::vector<std::int64_t> expected = sums;
        for (int o = 0; o < channels; ++o)
          for (int i = 0; i < 2 * pairs; ++i)
            expected[at(o)] += std::int64_t{x[at(i)]} * w[at((i / 2 * channels + o) * 2 + i % 2)];
        variant.run(x.data(), w.data(), pairs, channels, sums.data());
        REQUIRE(sums == expected);
      }
    }
  }
}

TEST_CASE("the tree kernel adds in the declared order with every product and sum rounded") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  int other_order = 0, contracted = 0;
  for (int lanes = 1; lanes <= 40; ++lanes) {
    const int padded = base::round_up(lanes, kernels::kTreeLanes), channels = 3 * kernels::kTileChannels;
    std::vector<float> x(at(padded)), w(at(padded * channels)), sums(at(channels));
    for (int i = 0; i < lanes; ++i) {
      x[at(i)] = static_cast<float>(random.uniform(-32768, 32767));
      for (int o = 0; o < channels; ++o) w[at(i * channels + o)] = real(random);
    }
    for (float& s : sums) s = real(random);
    const std::vector<float> before = sums;
    kernels::multiply_tree(x.data(), w.data(), padded, channels, sums.data());
    for (int o = 0; o < channels; ++o) {
      std::vector<float> products;
      float chain = before[at(o)], fused = before[at(o)];
      for (int i = 0; i < lanes; ++i) {
        products.push_back(multiply(x[at(i)], w[at(i * channels + o)]));
        chain = add(chain, products.back());
        fused = std::fma(x[at(i)], w[at(i * channels + o)], fused);
      }
      REQUIRE(sums[at(o)] == add(before[at(o)], tree(products)));
      other_order += sums[at(o)] != chain;
      contracted += sums[at(o)] != fused;
    }
  }
  CHECK(other_order > 500);  // of 1,920: the data distinguish the orders
  CHECK(contracted > 500);
}

}  // namespace fansim::tile_mac_test
