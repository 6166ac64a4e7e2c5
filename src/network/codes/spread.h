// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arith/rounding.h"
#include "network/network.h"

namespace fansim::network {

// The probability of each value of a tensor of random data, relative to its zero point (docs/quantisation.md, "Random
// tensors"). With more than 8 bits the upper 8 are counted.
class Spread {
 public:
  static Spread uniform(const NumberFormat& format);
  static Spread counted(const Tensor& tensor);
  // Returns normally distributed values after rounding and saturation.
  static Spread normal(const NumberFormat& format, double mean, double sigma, arith::Rounding rounding);

  // Returns what a layer makes of `in` (and an add also of `with`). conv and fc output sums that are scaled to
  // `target`.
  static Spread output(const Layer& layer, arith::Rounding rounding, double target, const Spread& in,
                       const Spread& with);

  // Returns the spread of the cells under a convolution's windows. Cells outside the map are zero points.
  Spread bordered(const Layer& layer) const;

  double mean() const;
  double sigma() const;

 private:
  explicit Spread(const NumberFormat& format);

  std::size_t zero() const { return static_cast<std::size_t>(-lowest_); }  // index of the zero point
  Spread largest_of(double count) const;
  Spread plus(const Spread& other) const;  // the sum of two values, saturated
  Spread activated() const;                // after ReLU

  int lowest_;  // lowest value that is counted, relative to the zero point
  double step_;
  std::vector<double> likely_;
};

// Returns the root mean square to which the sums of conv and fc are scaled, in steps of the layer's type.
double target_rms(const Layer& layer);

}  // namespace fansim::network
