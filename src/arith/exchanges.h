// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace fansim::arith {

enum class MedianNetwork { exchange19, sorting, bubble };

// Compares two values and exchanges them if needed, so that the smaller one ends up at `low`.
struct Exchange {
  std::uint8_t low = 0, high = 0;
};

// Nineteen exchanges that bring the median of nine values to the middle. They sort the rows; they take the largest of
// the smallest, the median of the middle and the smallest of the largest values; and they take the median of those
// three.
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

// Exchanges, done one after the other, that bring the median of the values to `median`.
struct ExchangeNetwork {
  std::vector<Exchange> exchanges;
  std::vector<int> layer;  // for each exchange, the first layer in which both its values are there
  int depth = 0;           // number of layers
  int median = 0;          // where the median ends up
};

// Returns a network for 9 or 25 values. All networks but `sorting` leave out exchanges on which the median does not
// depend.
ExchangeNetwork median_network(MedianNetwork network, int values);

}  // namespace fansim::arith
