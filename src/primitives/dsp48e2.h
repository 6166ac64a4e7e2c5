// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/dsp48e2_alu.h"
#include "primitives/dsp48e2_attributes.h"
#include "primitives/dsp48e2_pattern.h"
#include "primitives/dsp48e2_ports.h"

namespace fansim::primitives {

// Simulates the DSP48E2 slice of UltraScale and UltraScale+ (UG579): 27-bit pre-adder, 27 x 18 multiplier, 48-bit
// four-operand adder and logic unit, pattern detector, wide XOR, cascades. Registers are zero at power-up. A
// synchronous reset takes precedence over the clock enable.
class Dsp48e2 {
 public:
  using Attributes = Dsp48e2Attributes;
  using Inputs = Dsp48e2Inputs;
  using Outputs = Dsp48e2Outputs;

  explicit Dsp48e2(const Attributes& attributes);

  Outputs step(const Inputs& inputs);

 private:
  // The registers at the outputs. They are all present if PREG is 1.
  struct OutputBank {
    AluResult alu;
    PatternMatch match, past;
  };

  // A product as the adder takes it, in two words for X and Y. Their sum is the product plus 2^48. In a register that
  // was reset both are zero; the carry outputs show this difference.
  struct Product {
    std::uint64_t x = 0, y = 0;
    bool beyond = false;
  };

  struct Registers {
    std::uint64_t a1 = 0, a2 = 0, b1 = 0, b2 = 0, c = 0, d = 0;
    std::uint64_t inmode = 0, opmode = 0, alumode = 0, carryin = 0, carryinsel = 0;
    Bits ad, round;
    Product m;
    OutputBank out;
  };

  // Every wire between the registers.
  struct Wires {
    std::uint64_t a_in = 0, a = 0, acout = 0, b_in = 0, b = 0, bcout = 0, c = 0;
    std::uint64_t d = 0, inmode = 0, opmode = 0, alumode = 0, carryin = 0, carryinsel = 0;
    Bits pre_adder;
    Product product, m;
    Bits round_in, round;  // the complement of the product's sign
    OutputBank out;
    const char* undocumented = nullptr;
  };

  Inputs inverted(Inputs pins) const;
  Wires settle(const Inputs& in) const;
  void settle_inputs(const Inputs& in, Wires& w) const;
  void settle_multiplier(Wires& w) const;
  Product product(const Bits& a, const Bits& b) const;
  void settle_outputs(const Inputs& in, Wires& w) const;
  AluOperands operands(const Inputs& in, const Wires& w) const;
  Bits carry_in(const Inputs& in, const Wires& w) const;
  void edge(const Inputs& in, const Wires& w);
  bool resets_itself(const Inputs& in) const;
  Outputs outputs(const Wires& w) const;
  std::string report(const Inputs& in, const Wires& before, const Wires& after, bool clocked) const;

  Attributes attributes_;
  bool pre_adds_;  // the multiplier takes AD; otherwise D and AD have no registers
  Registers r_;
};

}  // namespace fansim::primitives
