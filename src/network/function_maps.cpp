// SPDX-License-Identifier: Apache-2.0
#include "network/function_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/interrupt.h"

namespace fansim::network {
namespace {

// Calls value(channel's first element, row, column) for every element of `out`, in order.
template <class Of>
std::vector<double> each(const Shape& in, const Shape& out, const std::vector<double>& values, Of value) {
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(out.elements()));
  for (int c = 0; c < out.channels; ++c) {
    base::stop_if_interrupted();
    const double* plane = &values[static_cast<std::size_t>(std::int64_t{c} * in.height * in.width)];
    for (int row = 0; row < out.height; ++row)
      for (int column = 0; column < out.width; ++column) all.push_back(value(plane, row, column));
  }
  return all;
}

std::size_t place(const Shape& in, int row, int column) {
  return static_cast<std::size_t>(std::int64_t{row} * in.width + column);
}

// For each place along an enlarged axis: the two elements between which it lies, and the share of the second.
struct Between {
  int first = 0, second = 0;
  double share = 0;
};
std::vector<Between> between(Corners corners, int size, int factor, int out) {
  std::vector<Between> all;
  for (int i = 0; i < out; ++i) {
    const double at = corners == Corners::half_pixel   ? (i + 0.5) / factor - 0.5
                      : corners == Corners::asymmetric ? static_cast<double>(i) / factor
                      : out == 1                       ? 0
                                                       : static_cast<double>(i) * (size - 1) / (out - 1);
    const double inside = std::clamp<double>(at, 0, size - 1);
    const int first = static_cast<int>(std::floor(inside));
    all.push_back({first, std::min(first + 1, size - 1), inside - first});
  }
  return all;
}

// The cells of a window along one axis that lie in the map, and the number of those with padding. A window that reaches
// past the padding has fewer cells.
struct Span {
  int first = 0, last = 0, padded = 0;
};
Span span(const FunctionStage& stage, std::size_t axis, int at, int size) {
  const int first = at * stage.stride[axis] - stage.padding[axis], end = first + stage.kernel[axis];
  return {std::max(first, 0), std::min(end, size) - 1, std::min(end, size + stage.padding[axis + 2]) - first};
}

}  // namespace

// Normalises over `size` channels around each one; half of the others lie before it (ONNX, LRN).
std::vector<double> normalised(const FunctionStage& stage, const Shape& in, const std::vector<double>& values) {
  std::vector<double> out(values.size());
  const std::int64_t plane = std::int64_t{in.height} * in.width;
  for (int c = 0; c < in.channels; ++c) {
    const int first = std::max(0, c - (stage.size - 1) / 2), last = std::min(in.channels - 1, c + stage.size / 2);
    for (std::int64_t i = 0; i < plane; ++i) {
      double squares = 0;
      for (int other = first; other <= last; ++other) {
        const double value = values[static_cast<std::size_t>(other * plane + i)];
        squares += value * value;
      }
      const auto at = static_cast<std::size_t>(c * plane + i);
      out[at] = values[at] / std::pow(stage.bias + stage.alpha / stage.size * squares, stage.beta);
    }
  }
  return out;
}

// Repeats rows and columns, or puts zeros between the elements.
std::vector<double> enlarged(const FunctionStage& stage, const Shape& in, const Shape& out,
                             const std::vector<double>& values) {
  const int down = stage.factor[0], across = stage.factor[1];
  const bool zeros = stage.function == Function::stretch;
  return each(in, out, values, [&](const double* plane, int row, int column) {
    if (zeros && (row % down != 0 || column % across != 0)) return 0.0;
    return plane[place(in, row / down, column / across)];
  });
}

// Makes channels of the elements of a block, row by row; each element gives all channels (ONNX, SpaceToDepth).
std::vector<double> deepened(const FunctionStage& stage, const Shape& in, const Shape& out,
                             const std::vector<double>& values) {
  const auto [down, across] = stage.factor;
  std::vector<double> all;
  all.reserve(values.size());
  for (int c = 0; c < out.channels; ++c) {
    const int block = c / in.channels, plane = c % in.channels;
    for (int row = 0; row < out.height; ++row)
      for (int column = 0; column < out.width; ++column)
        all.push_back(
            values[place(in, plane * in.height + row * down + block / across, column * across + block % across)]);
  }
  return all;
}

std::vector<double> interpolated(const FunctionStage& stage, const Shape& in, const Shape& out,
                                 const std::vector<double>& values) {
  const std::vector<Between> rows = between(stage.corners, in.height, stage.factor[0], out.height),
                             columns = between(stage.corners, in.width, stage.factor[1], out.width);
  return each(in, out, values, [&](const double* plane, int row, int column) {
    const Between &r = rows[static_cast<std::size_t>(row)], &c = columns[static_cast<std::size_t>(column)];
    const auto along = [&](int of) {
      return (1 - c.share) * plane[place(in, of, c.first)] + c.share * plane[place(in, of, c.second)];
    };
    return (1 - r.share) * along(r.first) + r.share * along(r.second);
  });
}

std::vector<double> pooled(const FunctionStage& stage, const Shape& in, const Shape& out,
                           const std::vector<double>& values) {
  const bool mean = stage.function == Function::window_mean;
  return each(in, out, values, [&](const double* plane, int row, int column) {
    const Span down = span(stage, 0, row, in.height), across = span(stage, 1, column, in.width);
    double found = mean ? 0 : std::numeric_limits<double>::lowest();
    for (int r = down.first; r <= down.last; ++r)
      for (int c = across.first; c <= across.last; ++c) {
        const double value = plane[place(in, r, c)];
        found = mean ? found + value : std::max(found, value);
      }
    if (!mean) return found;
    const std::int64_t cells = stage.count_padding
                                   ? std::int64_t{down.padded} * across.padded
                                   : std::int64_t{down.last - down.first + 1} * (across.last - across.first + 1);
    return found / static_cast<double>(cells);
  });
}

}  // namespace fansim::network
