// SPDX-License-Identifier: Apache-2.0
#include "network/quantised_rms.h"

#include <algorithm>
#include <cmath>

namespace fansim::network {
namespace {

// The empty tensor a layer puts out: its type.
Tensor type_of(const Layer& layer) { return {layer.out, layer.is_unsigned, layer.zero_point, {}, layer.out_bits}; }

int reach(const Tensor& type) { return std::max(type.highest() - type.zero_point, type.zero_point - type.lowest()); }

double below(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }

// Of normally distributed values of root mean square `rms` once they are rounded, saturated and activated.
double rounded_rms(const Layer& layer, double rms, arith::Rounding rounding) {
  const Tensor type = type_of(layer);
  const double half = rounding == arith::Rounding::half_up ? 0.5 : 0;
  double squares = 0;
  for (int value = type.lowest(); value <= type.highest(); ++value) {
    const double from = value == type.lowest() ? 0 : below((value - type.zero_point - half) / rms);
    const double to = value == type.highest() ? 1 : below((value - type.zero_point + 1 - half) / rms);
    const double activated =
        layer.activation == Activation::relu ? std::max(value - type.zero_point, 0) : value - type.zero_point;
    squares += (to - from) * activated * activated;
  }
  return std::sqrt(squares);
}

}  // namespace

double quantised_input_rms(const Tensor& input) {
  const double mean = (input.lowest() + input.highest()) / 2.0 - input.zero_point;
  const double values = input.highest() - input.lowest() + 1;
  return std::sqrt(mean * mean + (values * values - 1) / 12);
}

// 40 of 8 bits; of few bits wide enough that the outer values are met: 2 steps, or 2.5 where all lie on one side.
double target_rms(const Layer& layer) {
  const bool one_sided = layer.is_unsigned && layer.zero_point == 0;
  return std::max(std::ldexp(40, layer.out_bits - 8), one_sided ? 2.5 : 2.0);
}

double quantised_output_rms(const Layer& layer, arith::Rounding rounding, double in_rms, double with_rms) {
  const double relu = layer.activation == Activation::relu ? std::sqrt(0.5) : 1;
  const double limit = reach(type_of(layer));
  switch (layer.type) {
    case LayerType::conv:
    case LayerType::fc:
      return rounded_rms(layer, target_rms(layer), rounding);
    case LayerType::maxpool:
      return layer.kernel == 1 ? in_rms : std::min(in_rms * 1.4, limit);
    case LayerType::avgpool:
      return layer.kernel == 1 ? in_rms : in_rms * 0.7;
    case LayerType::add:
      return std::min(std::hypot(in_rms, with_rms), limit) * relu;
    case LayerType::relu:
      return layer.is_unsigned && layer.zero_point == 0 ? in_rms : in_rms * std::sqrt(0.5);
    default:
      return in_rms;
  }
}

}  // namespace fansim::network
