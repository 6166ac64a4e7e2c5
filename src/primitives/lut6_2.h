// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/port.h"

namespace fansim::primitives {

// Simulates a LUT6_2 (UG974), which is combinational: O6 looks up INIT with all six inputs, O5 looks up its lower half
// with I4..I0.
class Lut6_2 {
 public:
  struct Attributes {
    std::uint64_t init = 0;
    template <class V>
    void visit(V&& v) {
      v.bits("INIT", init, 64);
    }
  };
  struct Inputs {
    bool i0 = false, i1 = false, i2 = false, i3 = false, i4 = false, i5 = false;
    template <class V>
    void visit(V&& v) {
      v.port("I0", i0);
      v.port("I1", i1);
      v.port("I2", i2);
      v.port("I3", i3);
      v.port("I4", i4);
      v.port("I5", i5);
    }
  };
  struct Outputs {
    Bits o6, o5;
    std::string report;
    template <class V>
    void visit(V&& v) {
      v.port("O6", o6, 1);
      v.port("O5", o5, 1);
    }
  };

  explicit Lut6_2(const Attributes& attributes) : init_(attributes.init) {}

  Outputs step(const Inputs& in) const {
    const int low = in.i4 << 4 | in.i3 << 3 | in.i2 << 2 | in.i1 << 1 | int{in.i0};
    return {known(init_ >> (in.i5 << 5 | low) & 1), known(init_ >> low & 1), {}};
  }

 private:
  std::uint64_t init_;
};

}  // namespace fansim::primitives
