// SPDX-License-Identifier: Apache-2.0
#include "arith/exchanges.h"

#include <algorithm>

namespace fansim::arith {
namespace {

// Returns Batcher's odd-even merge sort for any number of values. Exchanges with a value that does not exist are left
// out, as if that value were larger than all others.
std::vector<Exchange> merge_sort(int values) {
  std::vector<Exchange> exchanges;
  for (int p = 1; p < values; p *= 2)
    for (int k = p; k >= 1; k /= 2)
      for (int j = k % p; j + k < values; j += 2 * k)
        for (int i = 0; i < std::min(k, values - j - k); ++i)
          if ((i + j) / (2 * p) == (i + j + k) / (2 * p))
            exchanges.push_back({static_cast<std::uint8_t>(i + j), static_cast<std::uint8_t>(i + j + k)});
  return exchanges;
}

// Sorts nine values with 25 exchanges in 7 layers.
std::vector<Exchange> sort_of_nine() {
  return {{0, 3}, {1, 7}, {2, 5}, {4, 8}, {0, 7}, {2, 4}, {3, 8}, {5, 6}, {0, 2}, {1, 3}, {4, 5}, {7, 8}, {1, 4},
          {3, 6}, {5, 7}, {0, 1}, {2, 4}, {3, 5}, {6, 8}, {2, 3}, {4, 5}, {6, 7}, {1, 2}, {3, 4}, {5, 6}};
}

// Returns a bubble sort that ends once the median is known. Each pass brings the largest of the remaining values to its
// place.
std::vector<Exchange> bubble(int values) {
  std::vector<Exchange> exchanges;
  for (int last = values - 1; last >= values / 2; --last)
    for (int i = 0; i < last; ++i)
      exchanges.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i + 1)});
  return exchanges;
}

// Leaves out exchanges on which the median does not depend. It works from the end: an exchange stays if one of its two
// values reaches the median.
std::vector<Exchange> needed_for(int median, int values, const std::vector<Exchange>& exchanges) {
  std::vector<bool> wanted(static_cast<std::size_t>(values));
  wanted[static_cast<std::size_t>(median)] = true;
  std::vector<Exchange> kept;
  for (auto e = exchanges.rbegin(); e != exchanges.rend(); ++e) {
    if (!wanted[e->low] && !wanted[e->high]) continue;
    wanted[e->low] = wanted[e->high] = true;
    kept.push_back(*e);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

}  // namespace

ExchangeNetwork median_network(MedianNetwork network, int values) {
  ExchangeNetwork result;
  result.median = values / 2;
  switch (network) {
    case MedianNetwork::exchange19:
      result.exchanges = values == 9 ? std::vector<Exchange>(kMedianOfNine.begin(), kMedianOfNine.end())
                                     : needed_for(values / 2, values, merge_sort(values));
      break;
    case MedianNetwork::sorting:
      result.exchanges = values == 9 ? sort_of_nine() : merge_sort(values);
      break;
    case MedianNetwork::bubble:
      result.exchanges = needed_for(values / 2, values, bubble(values));
      break;
  }
  std::vector<int> free(static_cast<std::size_t>(values));
  for (const Exchange& e : result.exchanges) {
    const int layer = std::max(free[e.low], free[e.high]);
    free[e.low] = free[e.high] = layer + 1;
    result.layer.push_back(layer);
    result.depth = std::max(result.depth, layer + 1);
  }
  return result;
}

}  // namespace fansim::arith
