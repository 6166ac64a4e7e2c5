// SPDX-License-Identifier: Apache-2.0
#include "primitives/dual_int8.h"

#include <catch2/catch.hpp>

namespace fansim::dual_int8_test {

using namespace primitives;

namespace {

// Counts triples (a, b, c), with a, b int8 and c in [low, low + 255], for which `wrong(a, b, c)` holds.
template <class Wrong>
int count(int low, Wrong&& wrong) {
  int n = 0;
  for (int a = -128; a <= 127; ++a)
    for (int b = -128; b <= 127; ++b)
      for (int c = low; c <= low + 255; ++c) n += wrong(a, b, c);
  return n;
}

bool differs(int a, int b, int c) {
  const Int8Products p = dual_int8(a, b, c);
  return p.high != a * c || p.low != b * c;
}

bool fits(std::int64_t v, int bits) { return fansim::arith::wrap(v, bits) == v; }

}  // namespace

TEST_CASE("one DSP slice forms both products exactly for all 2^24 triples of int8") {
  REQUIRE(count(-128, differs) == 0);
}

TEST_CASE("one DSP slice forms both products exactly for all 2^24 triples with an unsigned shared factor") {
  REQUIRE(count(0, differs) == 0);
}

TEST_CASE("the packed operands fit the 27-bit pre-adder shifted by 18 but not by 19") {
  const auto packed = [](int a, int b, int shift) { return a * (1 << shift) + b; };
  for (int a : {-128, 0, 127})
    for (int b : {-128, 0, 127}) REQUIRE(pack_int8(a, b) == packed(a, b, 18));
  CHECK(pack_int8(-128, -128, 18) == packed(-128, -128, 18));
  CHECK_FALSE(fits(packed(-128, -128, 19), kPreAdderBits));
  CHECK(pack_int8(-128, -128, 19) != packed(-128, -128, 19));
  CHECK(fits(packed(127, 127, 19), kPreAdderBits));
}

TEST_CASE("the product needs no more than the 27 x 18 multiplier's 45 bits and c no more than 18") {
  REQUIRE(count(0, [](int a, int b, int c) { return !fits(pack_int8(a, b) * c, 45) || !fits(c, 18); }) == 0);
}

TEST_CASE("without the correction the high product is one too small exactly when the low one is negative") {
  const auto uncorrected = [](int a, int b, int c) { return (pack_int8(a, b) * c >> kInt8Shift) != a * c; };
  CHECK(uncorrected(1, -1, 1));
  REQUIRE(count(-128, uncorrected) > 0);
  REQUIRE(count(-128, [&](int a, int b, int c) { return uncorrected(a, b, c) != (b * c < 0); }) == 0);
}

TEST_CASE("seven products of int8 pairs accumulate before they must be taken apart while eight do not") {
  const auto worst = [](int n) { return unpack_int8(n * pack_int8(-128, -128) * -128); };
  CHECK(worst(7).low == 7 * 16384);
  CHECK(worst(7).high == 7 * 16384);
  CHECK(worst(8).low != 8 * 16384);
}

}  // namespace fansim::dual_int8_test
