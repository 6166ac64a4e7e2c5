// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "base/interrupt.h"
#include "network/reference/reference_arithmetic.h"
#include "network/reference/reference_layers.h"
#include "network/reference/windows.h"

namespace fansim::network {
namespace {

// Calls pool(window, row_pitch) for every output position. It returns the output value relative to the zero point.
template <class Pool>
void slide(const Layer& layer, const Bordered<std::int32_t>& map, Tensor& out, Pool pool) {
  std::size_t to = 0;
  for (int c = 0; c < layer.out.channels; ++c) {
    for (int row = 0; row < layer.out.height; ++row) {
      base::stop_if_interrupted();
      for (int column = 0; column < layer.out.width; ++column, ++to) {
        out.set(to, out.format.zero_point + pool(map.window(c, row, column), map.width()));
      }
    }
  }
}

}  // namespace

void run_maxpool(const Layer& layer, const Tensor& in, Tensor& out) {
  // Cells outside the map never win.
  const Bordered<std::int32_t> map(layer, in, std::numeric_limits<std::int32_t>::min());
  slide(layer, map, out, [kernel = layer.window().kernel](const std::int32_t* window, int pitch) {
    std::int32_t largest = window[0];
    for (int kr = 0; kr < kernel; ++kr) {
      for (int kc = 0; kc < kernel; ++kc) largest = std::max(largest, window[kr * pitch + kc]);
    }
    return largest;
  });
}

void run_avgpool(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result) {
  Tensor& out = result.out;
  const int kernel = layer.window().kernel, area = kernel * kernel;
  const int scale = (65536 + area / 2) / area;
  const NumberFormat& of = out.format;
  const int lowest = of.lowest() - of.zero_point, highest = of.highest() - of.zero_point;
  const arith::Requantise to{scale, 16, of.zero_point, of.is_unsigned(), of.bits};
  const Bordered<std::int32_t> map(layer, in);
  slide(layer, map, out, [&](const std::int32_t* window, int pitch) {
    std::int64_t sum = 0;
    for (int kr = 0; kr < kernel; ++kr) {
      for (int kc = 0; kc < kernel; ++kc) sum += window[kr * pitch + kc];
    }
    if (kernel == 1) return static_cast<int>(sum);
    observe(sum, to, format, false, result.saturation);
    const auto mean = static_cast<int>(scaled_sum(sum, scale, 16, format));
    return std::clamp(mean, lowest, highest);
  });
}

}  // namespace fansim::network
