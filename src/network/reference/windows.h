// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/interrupt.h"
#include "base/lines.h"
#include "base/workers.h"
#include "network/network.h"
#include "network/reference/exact_sum.h"

// Feature maps in the form in which the reference executor sums them: values relative to their zero point, one window
// after the other. A Value is any type that can hold them.
namespace fansim::network {

// Calls f(view) with the elements in their own type, which is an integer type unless Value holds reals.
template <class Value, class F>
void visit_as(const Tensor& tensor, F f) {
  if constexpr (std::is_floating_point_v<Value>)
    if (tensor.format.type == DataType::float32) return f(tensor.view<float>());
  tensor.visit_integers(f);
}

template <class Value>
std::vector<Value> centred(const Tensor& tensor) {
  std::vector<Value> values(tensor.size());
  visit_as<Value>(tensor, [&values, zero = static_cast<Value>(tensor.format.zero_point)](auto elements) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<Value>(static_cast<Value>(elements[i]) - zero);
  });
  return values;
}

// A feature map relative to its zero point, inside a border that reaches as far as the layer's windows do and holds
// `outside`.
template <class Value>
class Bordered {
 public:
  Bordered(const Layer& layer, const Tensor& in, Value outside = 0)
      : stride_(layer.window().stride),
        top_(layer.window().padding[0]),
        left_(layer.window().padding[1]),
        height_(std::max(top_ + in.shape.height, (layer.out.height - 1) * stride_ + layer.window().kernel)),
        width_(std::max(left_ + in.shape.width, (layer.out.width - 1) * stride_ + layer.window().kernel)),
        values_(static_cast<std::size_t>(in.shape.channels) * static_cast<std::size_t>(height_) *
                    static_cast<std::size_t>(width_),
                outside) {
    visit_as<Value>(in, [&](auto elements) { fill(in, elements); });
  }

  // Returns where the window of output position (row, column) starts in channel `channel`. Its rows are width() apart.
  const Value* window(int channel, int row, int column) const {
    const auto start =
        (std::int64_t{channel} * height_ + std::int64_t{row} * stride_) * width_ + std::int64_t{column} * stride_;
    return values_.data() + start;
  }
  int width() const { return width_; }

 private:
  template <class Elements>
  void fill(const Tensor& in, Elements elements) {
    const auto zero = static_cast<Value>(in.format.zero_point);
    std::size_t from = 0;
    for (int c = 0; c < in.shape.channels; ++c) {
      for (int row = 0; row < in.shape.height; ++row) {
        auto to = static_cast<std::size_t>((std::int64_t{c} * height_ + row + top_) * width_ + left_);
        for (int column = 0; column < in.shape.width; ++column, ++from, ++to) {
          values_[to] = static_cast<Value>(static_cast<Value>(elements[from]) - zero);
        }
      }
    }
  }

  int stride_, top_, left_, height_, width_;
  std::vector<Value> values_;
};

// How the windows of a block of positions lie: tap after tap, or window after window. In the latter case windows are
// `length` of their taps apart. `kFilters` filters are summed at a time.
struct TapMajor {
  static constexpr std::size_t kFilters = 1;
  static std::size_t length(std::size_t taps) { return taps; }
  static std::size_t tap_step(std::size_t, std::size_t positions) { return positions; }
  static std::size_t window_step(std::size_t) { return 1; }
};
struct WindowMajor {
  static constexpr std::size_t kFilters = kFiltersAtOnce;
  static std::size_t length(std::size_t taps) { return (taps + 31) / 32 * 32; }  // padded with zeros to whole vectors
  static std::size_t tap_step(std::size_t, std::size_t) { return 1; }
  static std::size_t window_step(std::size_t taps) { return length(taps); }
};

// Gathers the windows of output positions [first, last) of one group. kKernel is the layer's kernel if the compiler
// should know it.
template <class Layout, int kKernel, class Value>
void gather(const Layer& layer, const Bordered<Value>& map, int group, std::size_t first, std::size_t last,
            base::Lines<Value>& windows) {
  const int kernel = kKernel > 0 ? kKernel : layer.window().kernel;
  const int channels = layer.in.channels / layer.groups();
  const auto width = static_cast<std::size_t>(layer.out.width), taps = static_cast<std::size_t>(layer.fan_in());
  const std::size_t step = Layout::tap_step(taps, last - first);
  windows.resize(Layout::length(taps) * (last - first));
  for (std::size_t p = first; p < last; ++p) {
    std::size_t to = (p - first) * Layout::window_step(taps);
    for (int c = 0; c < channels; ++c) {
      const Value* window = map.window(group * channels + c, static_cast<int>(p / width), static_cast<int>(p % width));
      for (int kr = 0; kr < kernel; ++kr) {
        for (int kc = 0; kc < kernel; ++kc, to += step) windows[to] = window[kr * map.width() + kc];
      }
    }
    for (std::size_t rest = taps; rest < Layout::length(taps); ++rest, to += step) windows[to] = 0;
  }
}

// Computes every output of a convolution in parts. A part is a block of positions of one group whose windows stay in
// the cache. sum_filters(first filter, filters, windows, positions, sums) sums their products, all positions of one
// filter after those of the other. store_of(part) returns a function that is called with (first output, filter, sums,
// positions) for each filter. A single worker takes the parts in order.
template <class Value, class Sum, class Layout, class SumFilters, class StoreOf>
void convolve_parts(const Layer& layer, const Tensor& in, SumFilters sum_filters, StoreOf store_of, std::size_t block,
                    const base::Workers& workers) {
  const Bordered<Value> map(layer, in);
  const auto plane = static_cast<std::size_t>(layer.out.height) * static_cast<std::size_t>(layer.out.width);
  const std::size_t blocks = (plane + block - 1) / block;
  const auto filters = static_cast<std::size_t>(layer.outputs() / layer.groups());
  workers.each(blocks * static_cast<std::size_t>(layer.groups()), [&](std::size_t part) {
    const int group = static_cast<int>(part / blocks);
    const std::size_t first = part % blocks * block, positions = std::min(plane - first, block);
    base::Lines<Value> windows;
    std::vector<Sum> sums(positions * Layout::kFilters);
    (layer.window().kernel == 3 ? gather<Layout, 3, Value> : gather<Layout, 0, Value>)(layer, map, group, first,
                                                                                       first + positions, windows);
    auto&& store = store_of(part);
    const std::size_t end = (static_cast<std::size_t>(group) + 1) * filters;
    for (std::size_t filter = end - filters; filter < end; filter += Layout::kFilters) {
      base::stop_if_interrupted();
      const std::size_t count = std::min(Layout::kFilters, end - filter);
      sum_filters(filter, count, windows.data(), positions, sums.data());
      for (std::size_t f = 0; f < count; ++f)
        store((filter + f) * plane + first, filter + f, &sums[f * positions], positions);
    }
  });
}

// Returns the positions of a part.
inline std::size_t part_positions(const Layer& layer) {
  return std::clamp<std::size_t>((std::size_t{1} << 18) / static_cast<std::size_t>(layer.fan_in()) / 16 * 16, 64, 2048);
}

// Does the same one part after the other, with sum_filter(filter, windows, positions, sums) for each filter and
// store(output, filter, sum) for each output.
template <class Value, class Sum, class SumFilter, class Store>
void convolve(const Layer& layer, const Tensor& in, SumFilter sum_filter, Store store) {
  const auto store_all = [&](std::size_t first, std::size_t filter, const Sum* sums, std::size_t positions) {
    for (std::size_t p = 0; p < positions; ++p) store(first + p, filter, sums[p]);
  };
  convolve_parts<Value, Sum, TapMajor>(
      layer, in,
      [&](std::size_t filter, std::size_t, const Value* columns, std::size_t positions, Sum* sums) {
        sum_filter(filter, columns, positions, sums);
      },
      [&](std::size_t) { return store_all; }, part_positions(layer), base::Workers(1));
}

}  // namespace fansim::network
