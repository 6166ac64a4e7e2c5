// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "accelerators/vision/values/units.h"

namespace fansim::vision {
namespace {

// Blocks of windows side by side, so that an exchange is a minimum and a maximum of whole blocks.
template <class T>
using Block = std::array<T, kLanes>;
template <class T>
using Windows = std::array<Block<T>, 25>;

template <class T>
const Block<T>& ordered(const Job& job, const arith::ExchangeNetwork& network, int window, Windows<T>& values) {
  if (job.median_operation == MedianOperation::median) {
    for (const arith::Exchange& e : network.exchanges)
      for (std::size_t i = 0; i < kLanes; ++i) {
        T &low = values[e.low][i], &high = values[e.high][i];
        const T smaller = std::min(low, high), larger = std::max(low, high);
        low = smaller, high = larger;
      }
    return values[static_cast<std::size_t>(network.median)];
  }
  Block<T>& best = values[0];
  const bool largest = job.median_operation == MedianOperation::largest;
  for (std::size_t k = 1; k < static_cast<std::size_t>(window); ++k)
    for (std::size_t i = 0; i < kLanes; ++i)
      best[i] = largest ? std::max(best[i], values[k][i]) : std::min(best[i], values[k][i]);
  return best;
}

template <class T>
void order_rows(const Job& job, const Plane<T>& in, Plane<T>& out) {
  const int kernel = job.median.kernel, window = kernel * kernel;
  const arith::ExchangeNetwork network = arith::median_network(arith::MedianNetwork::exchange19, window);
  BorderedRows<T> bordered(in, job.median, job.channels);
  std::array<const T*, FilterConfig::kMaxKernel> rows{};
  Windows<T> values;
  for (int y = out.from; y < out.to; ++y) {
    for (int k = 0; k < kernel; ++k) rows[static_cast<std::size_t>(k)] = bordered.row(y + k - kernel / 2);
    for (int x = 0; x < in.samples; x += kLanes) {
      for (int i = 0; i < window; ++i)
        std::copy_n(rows[static_cast<std::size_t>(i / kernel)] + x + i % kernel * job.channels, kLanes,
                    values[static_cast<std::size_t>(i)].begin());
      std::copy_n(ordered(job, network, window, values).begin(), kLanes, out.row(y) + x);
    }
  }
}

}  // namespace

FANSIM_ROWS void order(const Job& job, const Plane16& in, Plane16& out) { order_rows(job, in, out); }
FANSIM_ROWS void order(const Job& job, const Plane32& in, Plane32& out) { order_rows(job, in, out); }

}  // namespace fansim::vision
