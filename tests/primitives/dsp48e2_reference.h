// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "primitives/dsp48e2.h"

namespace fansim::test {

// Describes the DSP48E2 a second time, for documented control inputs, without registers and steps. What a register
// holds after row t is looked up in the history of the pins (the last row that reset or enabled it), and the adder's
// table is arithmetic on plain integers. Rows before the first are power-up, where every register is zero.
class Dsp48e2Reference {
 public:
  using Attributes = primitives::Dsp48e2Attributes;
  using Inputs = primitives::Dsp48e2Inputs;
  using Outputs = primitives::Dsp48e2Outputs;

  explicit Dsp48e2Reference(const Attributes& attributes) : at_(attributes) {}

  void row(const Inputs& pins) { rows_.push_back(pins); }  // not inverted
  Outputs outputs();                                       // after the edge of the last row

 private:
  using Value = std::int64_t;
  // Holds what is known of the adder's result with the registers as after row t and the pins of row s.
  struct Sum {
    std::uint64_t p = 0;
    std::optional<unsigned> carryout[4] = {0, 0, 0, 0};  // none: undefined
    unsigned xorout[8] = {};
    unsigned carrycascout = 0, multsign = 0, match = 0, complement = 0, match_past = 0, complement_past = 0;
  };

  template <class Next>
  Value held(int t, bool Inputs::*enable, bool Inputs::*reset, Next&& next) const;
  template <class T>
  Value piped(int registers, int t, int s, T Inputs::*pin, bool Inputs::*enable, bool Inputs::*reset) const;

  Value a_in(int s) const, b_in(int s) const;
  Value a1(int t) const, a2(int t) const, b1(int t) const, b2(int t) const;
  Value a(int t, int s) const, b(int t, int s) const;
  // Beside an unused multiplier the pre-adder has none.
  int pre_adder_registers(int given) const { return at_.use_mult == Attributes::Multiplier::none ? 0 : given; }
  Value pre_adder(int t, int s) const;
  Value factor_a(int t, int s) const, factor_b(int t, int s) const;
  Value inmode_bit(int t, int s, int bit) const;
  Value product(int t, int s) const, m(int t, int s) const;
  Value round(int t, int s) const;
  bool multiplied(int t) const;
  unsigned carry_in(int t, int s);
  Sum sum(int t, int s);
  void add(Sum& sum, unsigned alumode, const std::uint64_t (&o)[4], unsigned carry, Value above) const;
  void logic(Sum& sum, unsigned alumode, bool ones, bool third, const std::uint64_t (&o)[4]) const;
  void wide_xor(Sum& sum, std::uint64_t exclusive) const;
  void match(Sum& sum, std::uint64_t c) const;
  const Sum& registered(int t);  // the P register and its companions
  bool resets_itself(int t);

  Attributes at_;
  std::vector<Inputs> rows_;
  std::map<int, Sum> registered_;
};

}  // namespace fansim::test
