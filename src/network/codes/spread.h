// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arith/formats/rounding.h"
#include "network/network.h"

namespace fansim::network {

// How likely each value of a tensor of random data is, less its zero point (docs/quantisation.md, "Random tensors"). Of
// more than 8 bits, the upper 8 are counted.
class Spread {
 public:
  static Spread uniform(const NumberFormat& format);
  static Spread counted(const Tensor& tensor);
  // Normally distributed values once they are rounded and saturated.
  static Spread normal(const NumberFormat& format, double mean, double sigma, arith::Rounding rounding);

  // What a layer makes of `in` (and add of `with`); conv and fc put out sums scaled to `target`.
  static Spread output(const Layer& layer, arith::Rounding rounding, double target, const Spread& in,
                       const Spread& with);

  // Of the cells under a convolution's windows: those outside the map are zero points.
  Spread bordered(const Layer& layer) const;

  double mean() const;
  double sigma() const;

 private:
  explicit Spread(const NumberFormat& format);

  std::size_t zero() const { return static_cast<std::size_t>(-lowest_); }  // where the zero point is counted
  Spread largest_of(double count) const;
  Spread plus(const Spread& other) const;  // saturated
  Spread activated() const;                // by ReLU

  int lowest_;  // of the values counted, less the zero point
  double step_;
  std::vector<double> likely_;
};

// Root mean square that the sums of conv and fc are scaled to, in steps of the layer's type.
double target_rms(const Layer& layer);

}  // namespace fansim::network
