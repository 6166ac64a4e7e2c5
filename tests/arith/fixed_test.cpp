// SPDX-License-Identifier: Apache-2.0
#include "arith/fixed.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "arith/requantise.h"

namespace fansim::fixed_test {

using namespace arith;

TEST_CASE("wrap and saturate agree with their definitions for every small width") {
  for (int bits = 1; bits <= 9; ++bits) {
    const std::int64_t span = std::int64_t{1} << bits;
    for (std::int64_t v = -3 * span; v <= 3 * span; ++v) {
      std::int64_t wrapped = v;
      while (wrapped < -span / 2) wrapped += span;
      while (wrapped >= span / 2) wrapped -= span;
      REQUIRE(wrap(v, bits) == wrapped);
      REQUIRE(saturate(v, bits) == std::max(-span / 2, std::min(v, span / 2 - 1)));
    }
  }
  CHECK(wrap(std::int64_t{1} << 31, 32) == INT32_MIN);
  CHECK(wrap(INT64_MAX, 63) == -1);
  CHECK(saturate_u8(-1) == 0);
  CHECK(saturate_u8(256) == 255);
}

TEST_CASE("round_shift divides by a power of two with halves up or toward minus infinity") {
  for (int n = 0; n <= 6; ++n) {
    for (std::int64_t v = -300; v <= 300; ++v) {
      const double exact = static_cast<double>(v) / (1 << n);
      REQUIRE(round_shift(v, n) == static_cast<std::int64_t>(std::floor(exact + (n > 0 ? 0.5 : 0))));
      REQUIRE(round_shift(v, n, Rounding::truncate) == static_cast<std::int64_t>(std::floor(exact)));
    }
  }
}

TEST_CASE("requantise wraps then saturates then scales then shifts then offsets then saturates again") {
  const QuantiserFormat wide;
  CHECK(requantise(100, {3, 2, 0, false}, wide) == 75);
  CHECK(requantise(6, {1, 2, 0, false}, wide) == 2);
  CHECK(requantise(-6, {1, 2, 0, false}, wide) == -1);
  CHECK(requantise(1000, {1, 0, 0, false}, wide) == 127);
  CHECK(requantise(-1000, {1, 0, 0, false}, wide) == -128);
  CHECK(requantise(1000, {1, 0, 10, true}, wide) == 255);
  CHECK(requantise(-1000, {1, 0, 10, true}, wide) == 0);
  CHECK(requantise(-7, {1, 0, 10, true}, wide) == 3);
  CHECK(requantise(INT32_MAX, {32767, 31, 0, false}, wide) == 127);

  const QuantiserFormat published{20, 16, Rounding::truncate};
  CHECK(requantise(7, {1, 2, 0, false}, published) == 1);
  CHECK(requantise(40000, {1, 9, 0, false}, published) == 63);           // 32767 >> 9
  CHECK(requantise((1 << 20) + 512, {1, 9, 0, false}, published) == 1);  // wraps to 512
  CHECK(requantise(1 << 19, {1, 9, 0, false}, published) == -64);        // wraps to -2^19, saturates to -32768
  CHECK(requantise16(1 << 18, 2, 0, published) == 32767);
  CHECK(requantise16(-5, 3, 1, published) == -8);
  CHECK(overflows(1 << 19, published));
  CHECK_FALSE(overflows((1 << 19) - 1, published));
  CHECK_FALSE(overflows(-(1 << 19), published));
}

}  // namespace fansim::fixed_test
