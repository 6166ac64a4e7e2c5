// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "primitives/cfglut5.h"
#include "primitives/lut6_2.h"

namespace fansim::primitives {

// Two neighbouring bits of a table of 16 entries in one CFGLUT5, whose I4 is 1: O6 is the odd bit, from the upper half
// of its contents, and O5 the even one. 32 bits at CDI reload it, beginning with the odd bit of entry 15. With a shadow
// there are two CFGLUT5. A LUT6_2 with two 2:1 multiplexers then chooses the one that is read while the other one is
// reloaded.
class ReconfigurableTable {
 public:
  explicit ReconfigurableTable(bool shadow) : shadow_(shadow) {}

  struct Pins {
    int address = 0;
    bool cdi = false, load = false;
    bool select = false;  // the bank that is read; `load` goes to the other one
  };
  struct Bits2 {
    bool odd = false, even = false;
  };
  Bits2 step(const Pins& pins) {
    std::array<Cfglut5::Outputs, 2> out;
    for (std::size_t bank = 0; bank < (shadow_ ? 2 : 1); ++bank) {
      const bool idle = !shadow_ || (bank == 1) != pins.select;
      Cfglut5::Inputs in;
      in.cdi = pins.cdi;
      in.ce = pins.load && idle;
      in.i0 = pins.address & 1;
      in.i1 = pins.address & 2;
      in.i2 = pins.address & 4;
      in.i3 = pins.address & 8;
      in.i4 = true;
      out[bank] = banks_[bank].step(in);
    }
    if (!shadow_) return {out[0].o6.value != 0, out[0].o5.value != 0};
    Lut6_2::Inputs in;
    in.i0 = out[0].o6.value != 0;
    in.i1 = out[1].o6.value != 0;
    in.i2 = out[0].o5.value != 0;
    in.i3 = out[1].o5.value != 0;
    in.i4 = pins.select;
    in.i5 = true;
    const Lut6_2::Outputs chosen = multiplexers_.step(in);
    return {chosen.o6.value != 0, chosen.o5.value != 0};
  }

 private:
  // O6 = I4 ? I1 : I0, O5 = I4 ? I3 : I2.
  static constexpr std::uint64_t kMultiplexers = 0xcccc'aaaa'ff00'f0f0;

  bool shadow_;
  std::array<Cfglut5, 2> banks_{Cfglut5({}), Cfglut5({})};
  Lut6_2 multiplexers_{{kMultiplexers}};
};

}  // namespace fansim::primitives
