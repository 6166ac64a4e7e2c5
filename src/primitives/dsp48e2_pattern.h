// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/dsp48e2_attributes.h"
#include "primitives/port.h"

namespace fansim::primitives {

struct PatternMatch {
  Bits pattern, complement;  // PATTERNDETECT, PATTERNBDETECT
};

// Matches P with the pattern (UG579, section "PATTERNDETECT and PATTERNBDETECT Logic"): ((P == pattern) || mask) over
// all bits, and the same for the pattern's complement. NO_PATDET masks every bit.
PatternMatch match_pattern(const Dsp48e2Attributes& attributes, const Bits& p, std::uint64_t c);

// Returns "`past` and not `now`". OVERFLOW is told with the pattern's past match, UNDERFLOW with that of its
// complement.
Bits left(const Bits& past, const PatternMatch& now);

}  // namespace fansim::primitives
