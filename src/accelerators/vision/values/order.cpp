// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "accelerators/vision/values/units.h"

namespace fansim::vision {
namespace {

// Holds windows side by side, so that an exchange is a minimum and a maximum of whole registers.
template <class T>
using Windows = std::array<Lanes<T, T>, 25>;

template <class Values>
void exchange(Values& low, Values& high) {
  const Values smaller = low < high ? low : high, larger = low < high ? high : low;
  low = smaller;
  high = larger;
}

// The compiler knows which values are exchanged, so all of them stay in registers.
template <class T, std::size_t... I>
void order_nine(Windows<T>& values, std::index_sequence<I...>) {
  (exchange(values[arith::kMedianOfNine[I].low], values[arith::kMedianOfNine[I].high]), ...);
}

template <class T>
void order_all(Windows<T>& values, const arith::ExchangeNetwork& network) {
  for (const arith::Exchange& e : network.exchanges) exchange(values[e.low], values[e.high]);
}

template <class T>
void find_extreme(Windows<T>& values, int window, bool largest, std::size_t at) {
  Lanes<T, T> best = values[0];
  for (std::size_t k = 1; k < static_cast<std::size_t>(window); ++k)
    best = largest ? (values[k] > best ? values[k] : best) : (values[k] < best ? values[k] : best);
  values[at] = best;
}

template <class T>
void order_rows(const Job& job, const Plane<T>& in, Plane<T>& out) {
  const int kernel = job.median.kernel, window = kernel * kernel;
  const bool median = job.median_operation == MedianOperation::median, nine = window == 9;
  const bool largest = job.median_operation == MedianOperation::largest;
  const arith::ExchangeNetwork network = arith::median_network(arith::MedianNetwork::exchange19, window);
  const auto middle = static_cast<std::size_t>(network.median);
  BorderedRows<T> bordered(in, job.median, job.channels);
  std::array<const T*, 25> from{};
  Windows<T> values;
  for (int y = out.from; y < out.to; ++y) {
    for (int i = 0; i < window; ++i)
      from[static_cast<std::size_t>(i)] = bordered.row(y + i / kernel - kernel / 2) + i % kernel * job.channels;
    T* to = out.row(y);
    for (int x = 0; x < in.samples; x += LanesOf<T, T>::kCount) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(window); ++i)
        std::memcpy(&values[i], from[i] + x, sizeof values[i]);
      if (!median)
        find_extreme<T>(values, window, largest, middle);
      else if (nine)
        order_nine<T>(values, std::make_index_sequence<arith::kMedianOfNine.size()>());
      else
        order_all<T>(values, network);
      std::memcpy(to + x, &values[middle], sizeof values[middle]);
    }
  }
}

}  // namespace

FANSIM_ROWS void order(const Job& job, const Plane16& in, Plane16& out) { order_rows(job, in, out); }
FANSIM_ROWS void order(const Job& job, const Plane32& in, Plane32& out) { order_rows(job, in, out); }

}  // namespace fansim::vision
