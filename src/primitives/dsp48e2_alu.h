// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/dsp48e2_attributes.h"
#include "primitives/port.h"

namespace fansim::primitives {

// The fields of OPMODE (UG579, tables "OPMODE Control Bits Select ... Multiplexer Outputs").
struct Opmode {
  enum W { w_zero, w_p, w_rnd, w_c };
  enum X { x_zero, x_m, x_p, x_ab };
  enum Y { y_zero, y_m, y_ones, y_c };
  enum Z { z_zero, z_pcin, z_p, z_c, z_macc_extend, z_pcin_shift, z_p_shift, z_illegal };

  explicit Opmode(std::uint64_t opmode)
      : w(static_cast<W>(opmode >> 7 & 3)),
        x(static_cast<X>(opmode & 3)),
        y(static_cast<Y>(opmode >> 2 & 3)),
        z(static_cast<Z>(opmode >> 4 & 7)) {}

  bool multiplier() const { return x == x_m && y == y_m; }
  bool feeds_back() const {
    return w == w_p || x == x_p || z == z_p || z == z_macc_extend || z == z_p_shift || z == z_illegal;
  }
  // Returns how many operands the adder adds. The two partial products count once. An inverted Z always counts, because
  // it is never zero.
  int operands(std::uint64_t alumode) const {
    return int{w != w_zero} + int{x != x_zero} + int{y > y_m} + int{z != z_zero || (alumode & 1) != 0};
  }

  W w;
  X x;
  Y y;
  Z z;
};

struct AluOperands {
  Bits w, x, y, z, carry_in;
};

// What the P register and its companions capture.
struct AluResult {
  Bits p, carryout, carrycascout, multsign, xorout;
};

// Returns why UG579 does not define the result of these control inputs, or null if it does.
const char* undocumented(const Dsp48e2Attributes& attributes, std::uint64_t opmode, std::uint64_t alumode,
                         std::uint64_t carryinsel);

// Computes the result. `beyond` says that the guide does not define these control inputs. An operand that the guide
// leaves undefined makes the result undefined, too.
AluResult alu(const Dsp48e2Attributes& attributes, const Opmode& opmode, std::uint64_t alumode,
              const AluOperands& operands, bool beyond);

}  // namespace fansim::primitives
