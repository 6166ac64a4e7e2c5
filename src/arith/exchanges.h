// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fansim::arith {

enum class MedianNetwork { exchange19, sorting, bubble };

// Compare and exchange: afterwards the smaller value is at `low`.
struct Exchange {
  std::uint8_t low = 0, high = 0;
};

// Exchanges one after the other that bring the median of the values to `median`.
struct ExchangeNetwork {
  std::vector<Exchange> exchanges;
  std::vector<int> layer;  // of each: the first in which its values are there
  int depth = 0;           // layers
  int median = 0;          // where it ends up
};

// Of 9 or 25 values. All but `sorting` leave out what the median does not depend on.
ExchangeNetwork median_network(MedianNetwork network, int values);

}  // namespace fansim::arith
