// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/port.h"

namespace fansim::primitives {

// Simulates a CARRY8 (UG974, CARRY8; UG574, Carry Logic), which is combinational. At each bit the carry passes if S is
// 1 and becomes DI if S is 0; O is S exclusive-or the incoming carry. It is one chain of eight bits from CI, or two of
// four from CI and CI_TOP.
class Carry8 {
 public:
  enum class Type { single_cy8, dual_cy4 };
  struct Attributes {
    Type carry_type = Type::single_cy8;
    template <class V>
    void visit(V&& v) {
      v.choice("CARRY_TYPE", carry_type, {{Type::single_cy8, "SINGLE_CY8"}, {Type::dual_cy4, "DUAL_CY4"}});
    }
  };
  struct Inputs {
    bool ci = false, ci_top = false;
    std::uint64_t di = 0, s = 0;
    template <class V>
    void visit(V&& v) {
      v.port("CI", ci);
      v.port("CI_TOP", ci_top);
      v.port("DI", di, 8);
      v.port("S", s, 8);
    }
  };
  struct Outputs {
    Bits co, o;
    std::string report;
    template <class V>
    void visit(V&& v) {
      v.port("CO", co, 8);
      v.port("O", o, 8);
    }
  };

  explicit Carry8(const Attributes& attributes) : dual_(attributes.carry_type == Type::dual_cy4) {}

  Outputs step(const Inputs& in) const {
    Outputs out;
    std::uint64_t carry = in.ci ? 1 : 0;
    for (int bit = 0; bit < 8; ++bit) {
      if (bit == 4 && dual_) carry = in.ci_top ? 1 : 0;
      const std::uint64_t select = in.s >> bit & 1;
      out.o.value |= (select ^ carry) << bit;
      carry = select != 0 ? carry : in.di >> bit & 1;
      out.co.value |= carry << bit;
    }
    if (in.ci_top && !dual_) out.report = "CI_TOP must be 0 with CARRY_TYPE SINGLE_CY8 (UG974); it is ignored";
    return out;
  }

 private:
  const bool dual_;
};

}  // namespace fansim::primitives
