// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "network/reference/reference_arithmetic.h"
#include "network/reference/reference_layers.h"
#include "network/reference/windows.h"

namespace fansim::network {

void RoundingErrors::add(double error) {
  ++sums;
  largest = std::max(largest, error);
  total += error;
}

void RoundingErrors::add(const RoundingErrors& others) {
  sums += others.sums;
  largest = std::max(largest, others.largest);
  total += others.total;
}

namespace {

// The sum of one output, kernel by kernel. Kernels multiply codes; the zero point's share is subtracted exactly.
class RoundedSum {
 public:
  RoundedSum(const arith::KernelSums& kernels, int count, int zero_point, RoundingErrors& errors)
      : kernels_(kernels), zero_point_(zero_point), sums_(static_cast<std::size_t>(count)), errors_(errors) {}

  void add(int kernel, int centred, int weight) {
    Sums& sums = sums_[static_cast<std::size_t>(kernel)];
    sums.kept += kept(centred + zero_point_, weight);
    sums.exact += std::int64_t{centred + zero_point_} * weight;
    sums.used = true;
    weights_ += weight;
  }

  // Returns the sum and starts anew.
  std::int64_t take() {
    std::int64_t total = -std::int64_t{zero_point_} * weights_;
    for (Sums& sums : sums_) {
      const std::int64_t unit = power_of_two(kernels_.output_bit);
      const std::int64_t rounded = floor_divide(sums.kept + kernels_.added, unit) * unit;
      const double error = std::abs(static_cast<double>(rounded - sums.exact)) / static_cast<double>(unit);
      if (sums.used) errors_.add(error);
      total += rounded;
      sums = {};
    }
    weights_ = 0;
    return total;
  }

 private:
  struct Sums {
    std::int64_t kept = 0, exact = 0;
    bool used = false;  // false for kernels of another group of channels
  };

  // Returns a product without the bits that its tables leave out. The top slice has the activation's sign.
  std::int64_t kept(int activation, int weight) const {
    const std::int64_t slice = power_of_two(kernels_.slice_bits);
    std::int64_t product = 0, left = activation, place = 1;
    for (std::size_t s = 0; s < kernels_.dropped.size(); ++s) {
      const std::int64_t above = s + 1 < kernels_.dropped.size() ? floor_divide(left, slice) : 0;
      const std::int64_t unit = power_of_two(kernels_.dropped[s]);
      product += floor_divide((left - above * slice) * weight, unit) * unit * place;
      left = above;
      place *= slice;
    }
    return product;
  }

  const arith::KernelSums& kernels_;
  const int zero_point_;
  std::vector<Sums> sums_;
  RoundingErrors& errors_;
  std::int64_t weights_ = 0;
};

void run_fc(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in,
            const arith::KernelSums& kernels, Result& result) {
  const auto values = centred<std::int32_t>(in);
  const Parameters& parameters = layer.parameters();
  const int count = *std::max_element(kernels.of_input.begin(), kernels.of_input.end()) + 1;
  RoundedSum sum(kernels, count, in.format.zero_point, result.rounding);
  for (int unit = 0; unit < layer.outputs(); ++unit) {
    const auto row = static_cast<std::size_t>(unit);
    for (std::size_t i = 0; i < values.size(); ++i)
      sum.add(kernels.of_input[i], values[i], parameters.integer(row * values.size() + i));
    store(result, row, sum.take() + parameters.bias[row], layer, layer.requantise(unit), format);
  }
}

void run_conv(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in,
              const arith::KernelSums& kernels, Result& result) {
  const Parameters& parameters = layer.parameters();
  const int size = layer.window().kernel, area = size * size, own = layer.in.channels / layer.groups();
  const int row_kernels = (size + kernels.columns - 1) / kernels.columns;
  const int of_channels = size * row_kernels;
  const int count = (layer.in.channels + kernels.channels - 1) / kernels.channels * of_channels;
  RoundedSum sum(kernels, count, in.format.zero_point, result.rounding);
  convolve<std::int32_t, std::int64_t>(
      layer, in,
      [&](std::size_t filter, const std::int32_t* columns, std::size_t positions, std::int64_t* sums) {
        const int first = static_cast<int>(filter) / (layer.outputs() / layer.groups()) * own;
        std::vector<int> weights;
        for (int tap = 0; tap < own * area; ++tap)
          weights.push_back(
              parameters.integer(filter * static_cast<std::size_t>(own * area) + static_cast<std::size_t>(tap)));
        for (std::size_t p = 0; p < positions; ++p) {
          for (int tap = 0; tap < own * area; ++tap) {
            const int row = tap % area / size, column = tap % size;
            const int kernel = (first + tap / area) / kernels.channels * of_channels + row * row_kernels;
            sum.add(kernel + column / kernels.columns, columns[static_cast<std::size_t>(tap) * positions + p],
                    weights[static_cast<std::size_t>(tap)]);
          }
          sums[p] = sum.take();
        }
      },
      [&](std::size_t at, std::size_t filter, std::int64_t total) {
        store(result, at, total + parameters.bias[filter], layer, layer.requantise(static_cast<int>(filter)), format);
      });
}

}  // namespace

void run_rounded(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in,
                 const arith::KernelSums& kernels, Result& result) {
  layer.type() == LayerType::fc ? run_fc(layer, format, in, kernels, result)
                                : run_conv(layer, format, in, kernels, result);
}

}  // namespace fansim::network
