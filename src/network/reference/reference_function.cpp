// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "network/reference/reference_layers.h"

namespace fansim::network {
namespace {

// Returns the numbers for which codes stand.
std::vector<double> reals(const Tensor& tensor, double step) {
  std::vector<double> all;
  all.reserve(tensor.size());
  if (tensor.format.type == DataType::float32) {
    for (std::size_t i = 0; i < tensor.size(); ++i) all.push_back(tensor.real(i) * step);
    return all;
  }
  const int zero = tensor.format.zero_point;
  tensor.visit_integers([&](auto view) {
    for (std::size_t i = 0; i < view.size(); ++i) all.push_back((static_cast<int>(view[i]) - zero) * step);
  });
  return all;
}

// Stores the nearest codes (ties go to the larger) or the nearest floats (ties to even).
void store(const std::vector<double>& values, double step, Tensor& out) {
  const NumberFormat& format = out.format;
  if (format.type == DataType::float32) {
    for (std::size_t i = 0; i < values.size(); ++i) out.set_real(i, static_cast<float>(values[i] / step));
    return;
  }
  out.visit_integers([&](auto view) {
    using Code = typename decltype(view)::Value;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double code = std::floor(values[i] / step + 0.5) + format.zero_point;
      view.set(i, static_cast<Code>(std::clamp<double>(code, format.lowest(), format.highest())));
    }
  });
}

}  // namespace

void run_function(const Layer& layer, const Tensor& in, const Tensor* with, Tensor& out) {
  const double out_step = layer.step > 0 ? layer.step : 1;
  // Where one of the steps is not known, elements are only moved, and their codes stay what they are.
  const auto step_of = [&](double step) { return layer.step > 0 && step > 0 ? step : out_step; };
  const std::vector<double> second = layer.reads_two() ? reals(*with, step_of(layer.with_step)) : std::vector<double>{};
  store(apply(*layer.function(), layer.in, reals(in, step_of(layer.in_step)), second), out_step, out);
}

// Computes softmax over all elements. The largest is subtracted before exponentials are taken.
void run_softmax(const Layer& layer, const Tensor& in, Tensor& out) {
  if (!(layer.in_step > 0)) throw std::invalid_argument(layer.name + ": softmax of codes whose step is not known");
  std::vector<double> values = reals(in, layer.in_step);
  const double largest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (double& value : values) sum += value = std::exp(value - largest);
  for (double& value : values) value /= sum;
  store(values, layer.step, out);
}

}  // namespace fansim::network
