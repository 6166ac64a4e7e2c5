// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "base/random.h"
#include "primitives/dsp48e2.h"

namespace fansim::test {

// Returns inputs with all clock enables on.
inline primitives::Dsp48e2Inputs enabled() {
  primitives::Dsp48e2Inputs in;
  for (bool primitives::Dsp48e2Inputs::*enable :
       {&primitives::Dsp48e2Inputs::cea1, &primitives::Dsp48e2Inputs::cea2, &primitives::Dsp48e2Inputs::cead,
        &primitives::Dsp48e2Inputs::cealumode, &primitives::Dsp48e2Inputs::ceb1, &primitives::Dsp48e2Inputs::ceb2,
        &primitives::Dsp48e2Inputs::cec, &primitives::Dsp48e2Inputs::cecarryin, &primitives::Dsp48e2Inputs::cectrl,
        &primitives::Dsp48e2Inputs::ced, &primitives::Dsp48e2Inputs::ceinmode, &primitives::Dsp48e2Inputs::cem,
        &primitives::Dsp48e2Inputs::cep})
    in.*enable = true;
  return in;
}

// Returns attributes with no register except P's, as `preg` says.
inline primitives::Dsp48e2Attributes combinational(int preg) {
  primitives::Dsp48e2Attributes at;
  for (int primitives::Dsp48e2Attributes::*count :
       {&primitives::Dsp48e2Attributes::acascreg, &primitives::Dsp48e2Attributes::adreg,
        &primitives::Dsp48e2Attributes::alumodereg, &primitives::Dsp48e2Attributes::areg,
        &primitives::Dsp48e2Attributes::bcascreg, &primitives::Dsp48e2Attributes::breg,
        &primitives::Dsp48e2Attributes::carryinreg, &primitives::Dsp48e2Attributes::carryinselreg,
        &primitives::Dsp48e2Attributes::creg, &primitives::Dsp48e2Attributes::dreg,
        &primitives::Dsp48e2Attributes::inmodereg, &primitives::Dsp48e2Attributes::mreg,
        &primitives::Dsp48e2Attributes::opmodereg})
    at.*count = 0;
  at.preg = preg;
  return at;
}

// Returns a word of `bits` bits, more often than not a boundary value.
inline std::uint64_t boundary_or_random(base::Random& random, int bits) {
  const std::uint64_t all = primitives::ones(bits);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  const std::uint64_t edges[] = {0, 1, all, sign, sign - 1, sign + 1, all - 1};
  return random.chance(55) ? edges[random.uniform(0, 6)] : random.next() & all;
}

inline std::vector<primitives::Bits> values(primitives::Dsp48e2Outputs outputs) {
  primitives::PortReader reader;
  outputs.visit(reader);
  return std::move(reader).values();
}

}  // namespace fansim::test
