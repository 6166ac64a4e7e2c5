// SPDX-License-Identifier: Apache-2.0
#include "kernels/mac.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"

namespace fansim::mac_test {

namespace {

constexpr std::uint64_t kSeed = 50;

// Draws uniformly, or one of the extremes.
std::vector<std::int16_t> random_factors(int n, int low, int high, base::Random& random) {
  std::vector<std::int16_t> values(static_cast<std::size_t>(n));
  for (std::int16_t& v : values) {
    v = static_cast<std::int16_t>(random.uniform(low, high));
    if (random.chance(10)) v = static_cast<std::int16_t>(random.chance(50) ? low : high);
  }
  return values;
}

}  // namespace

TEST_CASE("the product kernel multiplies every lane of every channel for signed or unsigned activations") {
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

TEST_CASE("each dot kernel sums every channel's products in 32 bits for signed or unsigned activations") {
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
        // One sum more belongs to nobody, and must stay unchanged.
        std::vector<std::int32_t> sums(expected.size() + 1, 1);
        version.run(x.data(), w.data(), channels, lanes, sums.data());
        CHECK(sums.back() == 1);
        sums.pop_back();
        REQUIRE(sums == expected);
      }
    }
}

TEST_CASE("a few values are copied and nothing behind them is touched") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  const auto check = [&](auto value) {
    for (int values = 0; values <= 200; ++values) {
      std::vector<decltype(value)> from(static_cast<std::size_t>(values) + 16), to(from.size(), 7), expected = to;
      for (auto& one : from) one = static_cast<decltype(value)>(random.next());
      std::copy_n(from.begin(), values, expected.begin());
      kernels::copy_few(from.data(), values, to.data());
      REQUIRE(to == expected);
    }
  };
  check(std::int16_t{});
  check(std::int32_t{});
}

TEST_CASE("a few sums are added modulo 2^32 and in place too and nothing behind them is touched") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (int values = 0; values <= 40; ++values) {
    std::vector<std::int32_t> a(static_cast<std::size_t>(values) + 8), b(a.size()), expected(a.size(), 7);
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<std::int32_t>(random.next());
      b[i] = static_cast<std::int32_t>(random.next());
      const std::int64_t sum = std::int64_t{a[i]} + b[i];
      if (i < static_cast<std::size_t>(values))
        expected[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
    }
    std::vector<std::int32_t> to(a.size(), 7);
    kernels::add_few(a.data(), b.data(), values, to.data());
    REQUIRE(to == expected);
    std::copy(a.begin() + values, a.end(), expected.begin() + values);
    kernels::add_few(a.data(), b.data(), values, a.data());
    REQUIRE(a == expected);
  }
}

TEST_CASE("bytes of both signs and words of two are widened and nothing behind them is touched") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (int values = 0; values <= 40; ++values)
    for (const int bytes : {1, 2})
      for (const bool is_unsigned : {false, true}) {
        std::vector<std::uint8_t> from(static_cast<std::size_t>(values * bytes) + 1);
        for (std::uint8_t& byte : from) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
        std::vector<std::int16_t> to(static_cast<std::size_t>(values) + 8, 7), expected(to.size(), 7);
        for (int i = 0; i < values; ++i) {
          const std::uint8_t* at = from.data() + i * bytes;
          const int value = bytes == 2 ? at[0] | at[1] << 8 : is_unsigned ? at[0] : static_cast<std::int8_t>(at[0]);
          expected[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(value);
        }
        kernels::widen(from.data(), values, bytes, is_unsigned, to.data());
        REQUIRE(to == expected);
      }
}

}  // namespace fansim::mac_test
