// SPDX-License-Identifier: Apache-2.0
#include "primitives/dsp48e2_attributes.h"

#include <fmt/format.h>

#include "base/error.h"

namespace fansim::primitives {
namespace {

// Checks that the cascade has as many registers as the port's path, or one less if the path has two (UG579, ACASCREG
// and BCASCREG).
void check_cascade(const char* port, int registers, int cascade) {
  if (registers == cascade || (registers == 2 && cascade == 1)) return;
  throw base::UserError(fmt::format("DSP48E2: {0}CASCREG {1} with {0}REG {2}; legal: {3}", port, cascade, registers,
                                    registers == 2 ? "1, 2" : std::to_string(registers)));
}

}  // namespace

void Dsp48e2Attributes::check() const {
  check_cascade("A", areg, acascreg);
  check_cascade("B", breg, bcascreg);
  // The multiplier is not available in the SIMD modes (UG579, USE_SIMD).
  if (use_simd != Simd::one48 && use_mult != Multiplier::none)
    throw base::UserError("DSP48E2: USE_SIMD TWO24 and FOUR12 need USE_MULT NONE");
  // AUTORESET_PATDET resets the P register (UG579).
  if (autoreset_patdet != Autoreset::never && preg == 0)
    throw base::UserError("DSP48E2: AUTORESET_PATDET resets the P register; it needs PREG 1");
}

}  // namespace fansim::primitives
