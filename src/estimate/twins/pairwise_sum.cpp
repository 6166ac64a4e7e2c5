// SPDX-License-Identifier: Apache-2.0
#include "estimate/twins/pairwise_sum.h"

#include <algorithm>
#include <vector>

namespace fansim::estimate {

PairwiseSum::PairwiseSum(int terms, int width, int levels, int most_bits, bool gated) {
  std::vector<Value> values(static_cast<std::size_t>(terms), {std::min(width, most_bits), 0});
  for (int level = 0; level < levels; ++level) {
    std::vector<Value> next;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      if (i + 1 < values.size()) {
        next.push_back(added(values[i], values[i + 1], most_bits));
      } else if (gated && level == 0) {
        ff += values[i].bits;
        next.push_back(values[i]);
      } else {
        next.push_back({values[i].bits, values[i].waiting + 1});
      }
    }
    values = next;
  }
  leave(values[0]);
  bits = values[0].bits;
}

PairwiseSum::Value PairwiseSum::added(const Value& a, const Value& b, int most_bits) {
  leave(a);
  leave(b);
  const int width = std::min(std::max(a.bits, b.bits) + 1, most_bits);
  adder_bits += width;
  return {width, 1};
}

void PairwiseSum::leave(const Value& value) {
  if (value.waiting >= 3)
    srl += value.bits;
  else
    ff += value.bits * value.waiting;
}

}  // namespace fansim::estimate
