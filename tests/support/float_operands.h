// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "blocks/float/pipeline.h"

namespace fansim::test {

// Draws operands with any exponent, close to 1 where nothing saturates, at an end of the range, or nearly equal.
inline blocks::FloatOperands random_operands(const arith::FloatFormat& f, base::Random& random) {
  const int kind = random.uniform(0, 4), end = random.chance(50) ? 1 : f.max_exponent();
  const auto word = [&] {
    const std::uint64_t any = random.next() & (2 * f.sign_mask() - 1);
    if (kind == 0) return any;
    const int near = std::min(f.bias() + random.uniform(-4, 4), f.max_exponent());
    const auto e = static_cast<std::uint64_t>(kind == 1 ? end : std::max(near, 0));
    return (any & (f.sign_mask() | (f.hidden_one() - 1))) | e << f.mantissa_bits;
  };
  const std::uint64_t a = word(), b = kind == 4 ? a ^ (random.next() & 7 & (f.hidden_one() - 1)) : word();
  return {a, b, random.chance(50)};
}

}  // namespace fansim::test
