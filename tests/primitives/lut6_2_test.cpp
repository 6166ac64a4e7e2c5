// SPDX-License-Identifier: Apache-2.0
#include "primitives/lut6_2.h"

#include <catch2/catch.hpp>

namespace fansim::lut6_2_test {

using namespace primitives;

TEST_CASE("O6 looks up all six inputs and O5 the lower half at every address") {
  for (unsigned bit = 0; bit < 64; ++bit) {
    Lut6_2::Attributes attributes;
    attributes.init = std::uint64_t{1} << bit;
    const Lut6_2 lut(attributes);
    for (unsigned address = 0; address < 64; ++address) {
      Lut6_2::Inputs in;
      bool* pins[] = {&in.i0, &in.i1, &in.i2, &in.i3, &in.i4, &in.i5};
      for (unsigned pin = 0; pin < 6; ++pin) *pins[pin] = (address >> pin & 1) != 0;
      const Lut6_2::Outputs out = lut.step(in);
      REQUIRE(out.o6.value == (address == bit ? 1 : 0));
      REQUIRE(out.o5.value == (address % 32 == bit ? 1 : 0));
    }
  }
}

}  // namespace fansim::lut6_2_test
