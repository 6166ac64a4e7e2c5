// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/port.h"

namespace fansim::primitives {

// Simulates a CFGLUT5 (UG974): a 32-bit shift register that is used as a table. O6 reads it with I4..I0, O5 reads its
// lower half with I3..I0. CDI enters at bit 0 while CE is 1, and CDO is bit 31. An open CE is 0, as in the vendor's
// library.
class Cfglut5 {
 public:
  struct Attributes {
    std::uint64_t init = 0;
    std::uint64_t is_clk_inverted = 0;
    template <class V>
    void visit(V&& v) {
      v.bits("INIT", init, 32);
      v.bits("IS_CLK_INVERTED", is_clk_inverted, 1);
    }
  };
  struct Inputs {
    bool cdi = false, ce = false, clk = true;
    bool i0 = false, i1 = false, i2 = false, i3 = false, i4 = false;
    template <class V>
    void visit(V&& v) {
      v.port("CDI", cdi);
      v.port("CE", ce);
      v.clock("CLK", clk);
      v.port("I0", i0);
      v.port("I1", i1);
      v.port("I2", i2);
      v.port("I3", i3);
      v.port("I4", i4);
    }
  };
  struct Outputs {
    Bits cdo, o5, o6;
    std::string report;
    template <class V>
    void visit(V&& v) {
      v.port("CDO", cdo, 1);
      v.port("O5", o5, 1);
      v.port("O6", o6, 1);
    }
  };

  explicit Cfglut5(const Attributes& attributes)
      : falling_(attributes.is_clk_inverted != 0), bits_(static_cast<std::uint32_t>(attributes.init)) {}

  Outputs step(const Inputs& in) {
    const bool shift = in.clk && in.ce;
    if (shift && !falling_) enter(in.cdi);
    const int low = in.i3 << 3 | in.i2 << 2 | in.i1 << 1 | int{in.i0};
    const Outputs out{known(bits_ >> 31), known(bits_ >> low & 1), known(bits_ >> (in.i4 << 4 | low) & 1), {}};
    if (shift && falling_) enter(in.cdi);
    return out;
  }

 private:
  void enter(bool bit) { bits_ = bits_ << 1 | std::uint32_t{bit}; }

  const bool falling_;  // the edge comes after the outputs were sampled
  std::uint32_t bits_;
};

}  // namespace fansim::primitives
