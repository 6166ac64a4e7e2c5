// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/port.h"

namespace fansim::primitives {

// Simulates an SRLC32E (UG974): D enters a 32-bit shift register while CE is 1. Q is, without a clock, the bit that A
// selects (A = 0 is the last one entered), and Q31 the oldest bit. An open CE enables (UG574, Clock Enable).
class Srlc32e {
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
    std::uint64_t a = 0;
    bool ce = true, clk = true, d = false;
    template <class V>
    void visit(V&& v) {
      v.port("A", a, 5);
      v.port("CE", ce);
      v.clock("CLK", clk);
      v.port("D", d);
    }
  };
  struct Outputs {
    Bits q, q31;
    std::string report;
    template <class V>
    void visit(V&& v) {
      v.port("Q", q, 1);
      v.port("Q31", q31, 1);
    }
  };

  explicit Srlc32e(const Attributes& attributes)
      : falling_(attributes.is_clk_inverted != 0), bits_(static_cast<std::uint32_t>(attributes.init)) {}

  Outputs step(const Inputs& in) {
    const bool shift = in.clk && in.ce;
    if (shift && !falling_) enter(in.d);
    const Outputs out{known(bits_ >> in.a & 1), known(bits_ >> 31), {}};
    if (shift && falling_) enter(in.d);
    return out;
  }

 private:
  void enter(bool bit) { bits_ = bits_ << 1 | std::uint32_t{bit}; }

  const bool falling_;  // the edge comes after the outputs were sampled
  std::uint32_t bits_;
};

}  // namespace fansim::primitives
