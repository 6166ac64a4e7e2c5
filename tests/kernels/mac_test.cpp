// SPDX-License-Identifier: Apache-2.0
#include "kernels/mac.h"

#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"

namespace fansim::mac_test {

namespace {

constexpr std::uint64_t kSeed = 50;

// Uniform, or one of the extremes.
std::vector<std::int16_t> random_factors(int n, int low, int high, base::Random& random) {
  std::vector<std::int16_t> values(static_cast<std::size_t>(n));
  for (std::int16_t& v : values) {
    v = static_cast<std::int16_t>(random.uniform(low, high));
    if (random.chance(10)) v = static_cast<std::int16_t>(random.chance(50) ? low : high);
  }
  return values;
}

}  // namespace

TEST_CASE("the product kernel multiplies every lane of every channel, signed or unsigned activations") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (int channels = 1; channels <= 16; ++channels)
    for (int lanes = kernels::kLanes; lanes <= 18 * kernels::kLanes; lanes += kernels::kLanes) {
      const bool is_unsigned = random.chance(50);
      const auto x = random_factors(lanes, is_unsigned ? 0 : -128, is_unsigned ? 255 : 127, random);
      const auto w = random_factors(lanes * channels, -128, 127, random);
      std::vector<std::int16_t> products(w.size(), 1);
      kernels::multiply(x.data(), w.data(), channels, lanes, products.data());
      bool equal = true;
      for (std::size_t i = 0; i < w.size(); ++i) equal &= products[i] == x[i % x.size()] * w[i];
      REQUIRE(equal);
    }
}

TEST_CASE("each dot kernel sums every channel's products in 32 bits, signed or unsigned activations") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (int channels = 1; channels <= 16; ++channels)
    for (int lanes = kernels::kLanes; lanes <= 18 * kernels::kLanes; lanes += kernels::kLanes) {
      const bool is_unsigned = random.chance(50);
      const auto x = random_factors(lanes, is_unsigned ? 0 : -128, is_unsigned ? 255 : 127, random);
      const auto w = random_factors(lanes * channels, -128, 127, random);
      std::vector<std::int32_t> expected(static_cast<std::size_t>(channels));
      for (std::size_t i = 0; i < w.size(); ++i) expected[i / x.size()] += x[i % x.size()] * w[i];
      for (const kernels::DotRows& version : kernels::dot_rows_variants()) {
        INFO(version.name);
        // One more, which is nobody's.
        std::vector<std::int32_t> sums(expected.size() + 1, 1);
        version.run(x.data(), w.data(), channels, lanes, sums.data());
        CHECK(sums.back() == 1);
        sums.pop_back();
        REQUIRE(sums == expected);
      }
    }
}

}  // namespace fansim::mac_test
