// SPDX-License-Identifier: Apache-2.0
#include "primitives/dsp48e2_pattern.h"

namespace fansim::primitives {
namespace {

using Mask = Dsp48e2Attributes::Mask;
using Pattern = Dsp48e2Attributes::Pattern;

constexpr std::uint64_t kAll = ones(48);

// Returns the mask. The rounding modes take the complement of C, shifted left by one or two (UG579, SEL_MASK).
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

}  // namespace

PatternMatch match_pattern(const Dsp48e2Attributes& attributes, const Bits& p, std::uint64_t c) {
  const bool on = attributes.use_pattern_detect == Dsp48e2Attributes::PatternDetect::on;
  const std::uint64_t pattern = attributes.sel_pattern == Pattern::c ? c : attributes.pattern;
  const std::uint64_t compared = on ? ~mask(attributes, c) & kAll : 0;
  const auto all_equal = [&](std::uint64_t wanted) {
    return known(((p.value ^ wanted) & compared) == 0 ? 1 : 0, 1, !on || (p.beyond & compared) != 0);
  };
  return {all_equal(pattern), all_equal(~pattern)};
}

Bits left(const Bits& past, const PatternMatch& now) {
  return known(past.value & ~now.pattern.value & ~now.complement.value & 1, 1,
               (past.beyond | now.pattern.beyond | now.complement.beyond) != 0);
}

}  // namespace fansim::primitives
