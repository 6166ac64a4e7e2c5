// SPDX-License-Identifier: Apache-2.0
#include "network/codes/spread.h"

#include <algorithm>
#include <cmath>

namespace fansim::network {
namespace {

// Neighbours in a window resemble each other. The spread of their largest is that of this share of independent values
// (found by experiment).
constexpr double kIndependent = 0.75;

double below(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }

// Returns the share of window cells along one axis that lie inside the map.
double inside(int windows, int kernel, int stride, int before, int extent) {
  int cells = 0;
  for (int window = 0; window < windows; ++window) {
    for (int k = 0; k < kernel; ++k) {
      const int at = window * stride + k - before;
      cells += at >= 0 && at < extent;
    }
  }
  return static_cast<double>(cells) / (static_cast<double>(windows) * kernel);
}

int dropped(const NumberFormat& format) { return std::max(format.bits - 8, 0); }

// Returns the spread of an add that weighs its operands, for operands of any distribution.
Spread weighed(const Layer& layer, arith::Rounding rounding, const Spread& in, const Spread& with) {
  const auto [a, b] = layer.addition().weights;
  const double scale = std::ldexp(layer.scales().scale[0], -layer.scales().shift[0]);
  return Spread::normal(layer.out_format, scale * (a * in.mean() + b * with.mean()),
                        scale * std::hypot(a * in.sigma(), b * with.sigma()), rounding);
}

}  // namespace

Spread::Spread(const NumberFormat& format)
    : lowest_((format.lowest() - format.zero_point) >> dropped(format)),
      step_(1 << dropped(format)),
      likely_(static_cast<std::size_t>(1) << (format.bits - dropped(format))) {}

Spread Spread::uniform(const NumberFormat& format) {
  Spread spread(format);
  std::fill(spread.likely_.begin(), spread.likely_.end(), 1 / static_cast<double>(spread.likely_.size()));
  return spread;
}

Spread Spread::counted(const Tensor& tensor) {
  Spread spread(tensor.format);
  const double one = 1 / static_cast<double>(tensor.size());
  const int lowest = tensor.format.lowest(), unseen = dropped(tensor.format);
  tensor.visit_integers([&](auto elements) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      spread.likely_[static_cast<std::size_t>((elements[i] - lowest) >> unseen)] += one;
  });
  return spread;
}

Spread Spread::normal(const NumberFormat& format, double mean, double sigma, arith::Rounding rounding) {
  Spread spread(format);
  const double half = rounding == arith::Rounding::half_up ? 0.5 : 0;
  double from = 0;
  for (std::size_t i = 0; i < spread.likely_.size(); ++i) {
    const double edge = (spread.lowest_ + static_cast<double>(i) + 1 - half) * spread.step_;
    const double to = i + 1 == spread.likely_.size() ? 1 : below((edge - mean) / std::max(sigma, 1e-9));
    spread.likely_[i] = to - from;
    from = to;
  }
  return spread;
}

Spread Spread::bordered(const Layer& layer) const {
  if (layer.type() != LayerType::conv) return *this;
  const Window& window = layer.window();
  const double share = inside(layer.out.height, window.kernel, window.stride, window.padding[0], layer.in.height) *
                       inside(layer.out.width, window.kernel, window.stride, window.padding[1], layer.in.width);
  Spread spread = *this;
  for (double& likely : spread.likely_) likely *= share;
  spread.likely_[zero()] += 1 - share;
  return spread;
}

double Spread::mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < likely_.size(); ++i) sum += likely_[i] * (lowest_ + static_cast<double>(i));
  return sum * step_;
}

double Spread::sigma() const {
  const double centre = mean() / step_;
  double sum = 0;
  for (std::size_t i = 0; i < likely_.size(); ++i) {
    const double away = lowest_ + static_cast<double>(i) - centre;
    sum += likely_[i] * away * away;
  }
  return std::sqrt(sum) * step_;
}

Spread Spread::activated() const {
  Spread spread = *this;
  for (std::size_t i = 0; i < zero(); ++i) {
    spread.likely_[zero()] += spread.likely_[i];
    spread.likely_[i] = 0;
  }
  return spread;
}

Spread Spread::largest_of(double count) const {
  Spread spread = *this;
  double sum = 0, before = 0;
  for (std::size_t i = 0; i < likely_.size(); ++i) {
    sum += likely_[i];
    const double all = std::pow(std::min(sum, 1.0), count);
    spread.likely_[i] = all - before;
    before = all;
  }
  return spread;
}

Spread Spread::plus(const Spread& other) const {
  Spread spread = *this;
  std::fill(spread.likely_.begin(), spread.likely_.end(), 0);
  const int last = static_cast<int>(likely_.size()) - 1;
  for (int i = 0; i <= last; ++i) {
    for (int j = 0; j <= last; ++j) {
      const auto to = static_cast<std::size_t>(std::clamp(i + j + lowest_, 0, last));
      spread.likely_[to] += likely_[static_cast<std::size_t>(i)] * other.likely_[static_cast<std::size_t>(j)];
    }
  }
  return spread;
}

Spread Spread::output(const Layer& layer, arith::Rounding rounding, double target, const Spread& in,
                      const Spread& with) {
  Spread out = in;
  switch (layer.type()) {
    case LayerType::conv:
    case LayerType::fc:
      out = normal(layer.out_format, 0, target, rounding);
      break;
    case LayerType::maxpool:
      if (layer.window().kernel > 1) out = in.largest_of(kIndependent * layer.window().kernel * layer.window().kernel);
      break;
    case LayerType::avgpool:
      if (layer.window().kernel > 1)
        out = normal(layer.out_format, in.mean(), 0.7 * in.sigma(), arith::Rounding::half_up);
      break;
    case LayerType::add:
      out = layer.weighs() ? weighed(layer, rounding, in, with) : in.plus(with);
      break;
    case LayerType::relu:
      return in.activated();
    default:
      break;
  }
  return layer.activation == Activation::relu ? out.activated() : out;
}

// Returns 40 steps for 8 bits. With few bits it is so wide that the outer values occur: 2 steps, or 2.5 if all values
// lie on one side.
double target_rms(const Layer& layer) {
  const bool one_sided = layer.out_format.is_unsigned() && layer.out_format.zero_point == 0;
  return std::max(std::ldexp(40, layer.out_format.bits - 8), one_sided ? 2.5 : 2.0);
}

}  // namespace fansim::network
