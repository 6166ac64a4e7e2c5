// SPDX-License-Identifier: Apache-2.0
#include "primitives/dsp48e2_pattern.h"

namespace fansim::primitives {
namespace {

using Mask = Dsp48e2Attributes::Mask;
using Pattern = Dsp48e2Attributes::Pattern;

constexpr std::uint64_t kAll = ones(48);

// UG579, attribute SEL_MASK: the rounding modes are the complement of C shifted left by one and by two.
std::uint64_t mask(const Dsp48e2Attributes& attributes, std::uint64_t c) {
  switch (attributes.sel_mask) {
    case Mask::c:
      return c;
    case Mask::rounding_mode1:
      return ~c << 1 & kAll;
    case Mask::rounding_mode2:
      return ~c << 2 & kAll;
    default:
      return attributes.mask;
  }
}

Bits all_equal(const Bits& p, std::uint64_t pattern, std::uint64_t compared) {
  if (((p.value ^ pattern) & ~p.unknown & compared) != 0) return known(0);
  return (p.unknown & compared) != 0 ? undefined(1) : known(1);
}

}  // namespace

PatternMatch match_pattern(const Dsp48e2Attributes& attributes, const Bits& p, std::uint64_t c) {
  const std::uint64_t pattern = attributes.sel_pattern == Pattern::c ? c : attributes.pattern;
  const std::uint64_t compared = ~mask(attributes, c) & kAll;
  return {all_equal(p, pattern, compared), all_equal(p, ~pattern, compared)};
}

Bits left(const Bits& past, const PatternMatch& now) {
  if ((past.unknown | now.pattern.unknown | now.complement.unknown) != 0) return undefined(1);
  return known(past.value & ~now.pattern.value & ~now.complement.value & 1);
}

}  // namespace fansim::primitives
