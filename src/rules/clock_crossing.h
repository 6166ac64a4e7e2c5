// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/rational.h"

namespace fansim::rules {

// Edge n of a clock happens at n / frequency. What leaves clock `from` at its edge t is seen by clock `to` at the
// `stages`-th of its edges strictly after that instant: the synchroniser's flip-flops. Exact for any rational clocks.
inline std::int64_t crossing_edge(std::int64_t t, const base::Rational& from, const base::Rational& to, int stages) {
  __extension__ using Wide = __int128;
  const Wide numerator = static_cast<Wide>(t) * from.denominator * to.numerator;
  const Wide denominator = static_cast<Wide>(from.numerator) * to.denominator;
  return static_cast<std::int64_t>(numerator / denominator) + stages;
}

}  // namespace fansim::rules
