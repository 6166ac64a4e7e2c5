// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace fansim::arith {

enum class MedianNetwork { exchange19, sorting, bubble };

// Compare and exchange: afterwards the smaller value is at `low`.
struct Exchange {
  std::uint8_t low = 0, high = 0;
};

// Nineteen exchanges for the median of nine, which ends up in the middle: rows sorted, then the largest of the
// smallest, the median of the middle and the smallest of the largest, and the median of those three.
constexpr std::array<Exchange, 19> kMedianOfNine{{{1, 2},
                                                  {4, 5},
                                                  {7, 8},
                                                  {0, 1},
                                                  {3, 4},
                                                  {6, 7},
                                                  {1, 2},
                                                  {4, 5},
                                                  {7, 8},
                                                  {0, 3},
                                                  {5, 8},
                                                  {4, 7},
                                                  {3, 6},
                                                  {1, 4},
                                                  {2, 5},
                                                  {4, 7},
                                                  {4, 2},
                                                  {6, 4},
                                                  {4, 2}}};

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
