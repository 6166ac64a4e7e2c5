// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "calibration/calibrate.h"

namespace fansim::calibration {
namespace {

Activation activation(double lowest, double highest, int bits) {
  Activation fit;
  // A machine's operand, a code less its zero point, has 16 bits with its sign.
  if (bits == 16) {
    fit.format = network::NumberFormat::codes(16);
    if (highest > lowest) fit.step = std::max(highest, -lowest) / fit.format.highest();
    return fit;
  }
  fit.format = network::NumberFormat::codes(bits, true);
  const int most = fit.format.highest();
  // One bit has no code to spare for values below 0.
  if (bits == 1) lowest = 0, highest = std::max(highest, 0.0);
  if (highest > lowest) fit.step = (highest - lowest) / most;
  fit.format.zero_point = static_cast<int>(std::clamp<double>(std::round(-lowest / fit.step), 0, most));
  return fit;
}

double squared_error(const Activation& fit, const std::vector<float>& sample) {
  double sum = 0;
  for (const float value : sample) {
    const double error = double{value} - fit.value(fit.code(value));
    sum += error * error;
  }
  return sum;
}

}  // namespace

int Activation::code(float value) const { return format.code_of(value, step); }

Activation fit_activation(const std::vector<float>& sample, float lowest, float highest, int bits) {
  constexpr int kParts = 32;
  lowest = std::min(lowest, 0.0f);
  highest = std::max(highest, 0.0f);
  Activation best = activation(lowest, highest, bits);
  double least = squared_error(best, sample);
  for (int part = kParts - 1; part > 0; --part) {
    const Activation narrower = activation(double{lowest} * part / kParts, double{highest} * part / kParts, bits);
    const double error = squared_error(narrower, sample);
    if (error < least) best = narrower, least = error;
  }
  return best;
}

}  // namespace fansim::calibration
