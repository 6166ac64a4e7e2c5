// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>

#include "base/rational.h"

namespace fansim::rules {

// Relates the edges of a fast clock to those of a slow one, exactly: edge k of a clock lies at k / frequency, and both
// have their edge 0 together.
class ClockRatio {
 public:
  ClockRatio(const base::Rational& fast, const base::Rational& slow)
      : fast_(fast.numerator * slow.denominator), slow_(slow.numerator * fast.denominator) {
    const std::int64_t common = std::gcd(fast_, slow_);
    fast_ /= common;
    slow_ /= common;
  }

  // Returns the last fast edge that is not after a slow one.
  std::int64_t fast_at(std::int64_t slow) const { return scale(slow, fast_, slow_); }
  // Returns the first slow edge strictly after a fast one.
  std::int64_t slow_after(std::int64_t fast) const { return scale(fast, slow_, fast_) + 1; }

 private:
  __extension__ using Wide = __int128;
  static std::int64_t scale(std::int64_t edge, std::int64_t by, std::int64_t over) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(edge, by, &product)) return product / over;
    return static_cast<std::int64_t>(static_cast<Wide>(edge) * by / over);
  }

  std::int64_t fast_;
  std::int64_t slow_;
};

}  // namespace fansim::rules
