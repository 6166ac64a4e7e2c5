// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "accelerators/tiled/hardware/tiled_layer.h"
#include "arith/requantise.h"
#include "support/single_precision.h"

namespace fansim::test {

namespace {

int extent(int size, int kernel, int stride, int padding) { return (size + 2 * padding - kernel) / stride + 1; }

struct Shape {
  explicit Shape(const tiled::TiledJob& job)
      : padding(job.instruction.fc() ? 0 : job.instruction.padding),
        rows(extent(job.instruction.height, job.kernel_rows(), job.instruction.stride, padding)),
        columns(extent(job.instruction.width, job.kernel_columns(), job.instruction.stride, padding)) {}
  int padding, rows, columns;
};

// Calls add(input, code) for every factor of the output (m, row, column), and end() after the inputs of one point.
template <class Add, class End>
void walk(const TiledLayer& layer, int m, int row, int column, Add add, End end) {
  const tiled::TiledJob& job = layer.job;
  const int channels = job.instruction.in_channels, tn = layer.engine.tn, padding = Shape(job).padding;
  const int block = layer.fc_engine() ? job.fc_block : channels;
  for (int from = 0; from < channels; from += block)
    for (int n = from; n < std::min(channels, from + block); n += tn)
      for (int kr = 0; kr < job.kernel_rows(); ++kr)
        for (int kc = 0; kc < job.kernel_columns(); ++kc) {
          for (int i = n; i < std::min({channels, from + block, n + tn}); ++i)
            add(layer.in(i, row * job.instruction.stride - padding + kr,
                         column * job.instruction.stride - padding + kc),
                layer.code(m, i, kr * job.kernel_columns() + kc));
          end();
        }
}

template <class Sum, class One>
std::vector<Sum> each(const TiledLayer& layer, One one) {
  std::vector<Sum> sums;
  const Shape shape(layer.job);
  for (int m = 0; m < layer.job.instruction.out_channels; ++m)
    for (int r = 0; r < shape.rows; ++r)
      for (int c = 0; c < shape.columns; ++c) sums.push_back(one(m, r, c));
  return sums;
}

int low_of(const tiled::TiledJob& job, int bits) { return job.out_unsigned ? 0 : -(1 << (bits - 1)); }

std::int16_t pooled(const TiledLayer& layer, const std::vector<std::int16_t>& values, const arith::QuantiserFormat& f,
                    int bits, int m, int y, int x) {
  const tiled::TiledJob& job = layer.job;
  const Shape shape(job);
  std::int64_t sum = 0, largest = -65536;
  for (int kr = 0; kr < job.pool_kernel; ++kr)
    for (int kc = 0; kc < job.pool_kernel; ++kc) {
      const int r = y * job.pool_stride - job.pool_padding + kr, c = x * job.pool_stride - job.pool_padding + kc;
      if (r < 0 || r >= shape.rows || c < 0 || c >= shape.columns) continue;
      const int v = values[at((std::int64_t{m} * shape.rows + r) * shape.columns + c)];
      sum += v - job.out_zero;
      largest = std::max<std::int64_t>(largest, v);
    }
  if (!job.instruction.average()) return static_cast<std::int16_t>(largest);
  const int area = job.pool_kernel * job.pool_kernel, low = low_of(job, bits);
  const std::int64_t mean = area == 1 ? sum : arith::scaled(sum, (65536 + area / 2) / area, 16, f);
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(job.out_zero + mean, low, low + (1 << bits) - 1));
}

std::vector<std::int16_t> finish(const TiledLayer& layer, std::vector<std::int64_t> values,
                                 const arith::QuantiserFormat& format, int bits) {
  const tiled::TiledJob& job = layer.job;
  const int low = low_of(job, bits);
  std::vector<std::int16_t> map;
  for (const std::int64_t v : values) {
    const auto saturated = std::clamp<std::int64_t>(v, low, low + (1 << bits) - 1);
    const bool clamped = job.instruction.relu() && saturated < job.out_zero;
    map.push_back(static_cast<std::int16_t>(clamped ? job.out_zero : saturated));
  }
  if (!job.instruction.pool()) return map;
  std::vector<std::int16_t> out;
  for (int m = 0; m < job.instruction.out_channels; ++m)
    for (int y = 0; y < job.out_rows; ++y)
      for (int x = 0; x < job.out_columns; ++x) out.push_back(pooled(layer, map, format, bits, m, y, x));
  return out;
}

}  // namespace

std::vector<std::int64_t> exact_sums(const TiledLayer& layer, const tiled::CodeBook& book) {
  return each<std::int64_t>(layer, [&](int m, int r, int c) {
    std::int64_t sum = 0;
    walk(
        layer, m, r, c, [&](int x, unsigned code) { sum += std::int64_t{x} * book.integers[code]; }, [] {});
    return sum;
  });
}

std::vector<float> real_sums(const TiledLayer& layer, const tiled::CodeBook& book) {
  return each<float>(layer, [&](int m, int r, int c) {
    float sum = 0;
    std::vector<float> terms;
    walk(
        layer, m, r, c,
        [&](int x, unsigned code) { terms.push_back(multiply(static_cast<float>(x), book.operands[code])); },
        [&] {
          terms.resize(at(layer.engine.tn), 0.0F);
          sum = add(sum, tree(terms));
          terms.clear();
        });
    return sum;
  });
}

std::vector<std::int16_t> outputs(const TiledLayer& layer, const std::vector<std::int64_t>& sums,
                                  const arith::QuantiserFormat& format, int activation_bits) {
  std::vector<std::int64_t> values;
  const std::size_t plane = sums.size() / layer.parameters.size();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const tiled::ChannelParameters& p = layer.parameters[i / plane];
    const std::int64_t wrapped = arith::wrap(sums[i] + p.bias, format.accumulator_bits);
    const std::int64_t product = arith::saturate(wrapped, format.operand_bits) * p.scale;
    values.push_back(layer.job.out_zero + arith::round_shift(product, p.shift, format.rounding));
  }
  return finish(layer, values, format, activation_bits);
}

std::vector<std::int16_t> outputs(const TiledLayer& layer, const std::vector<float>& sums,
                                  const arith::QuantiserFormat& format, int activation_bits) {
  std::vector<std::int64_t> values;
  const std::size_t plane = sums.size() / layer.parameters.size();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const tiled::ChannelParameters& p = layer.parameters[i / plane];
    const double below = std::floor(double{add(multiply(add(sums[i], p.float_bias), p.float_scale), 0.5F)});
    values.push_back(layer.job.out_zero + static_cast<std::int64_t>(std::clamp(below, -1e6, 1e6)));
  }
  return finish(layer, values, format, activation_bits);
}

}  // namespace fansim::test
