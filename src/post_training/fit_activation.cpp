// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "post_training/calibrate.h"

namespace fansim::post_training {
namespace {

Activation activation(double lowest, double highest, int bits, bool symmetric) {
  Activation fit;
  // A machine's operand, a code less its zero point, has at most 16 bits with its sign.
  if (bits == 16 || (symmetric && bits > 1)) {
    fit.format = network::NumberFormat::codes(bits);
    if (highest > lowest) fit.step = std::max(highest, -lowest) / fit.format.highest();
    return fit;
  }
  fit.format = network::NumberFormat::codes(bits, true);
  const int most = fit.format.highest();
  // One bit has no code to spare for values below 0.
  if (bits == 1) {
    lowest = 0;
    highest = std::max(highest, 0.0);
  }
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

// Returns the range that remains when the given share of the sample is cut off at either end.
std::pair<double, double> within(std::vector<float> sample, double share) {
  if (sample.empty()) return {0, 0};
  const auto skipped = static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size()));
  std::nth_element(sample.begin(), sample.begin() + skipped, sample.end());
  const double lowest = sample[static_cast<std::size_t>(skipped)];
  std::nth_element(sample.begin(), sample.end() - 1 - skipped, sample.end());
  return {lowest, sample[sample.size() - 1 - static_cast<std::size_t>(skipped)]};
}

// Measures how far the distribution of the codes is from the sample's, as histograms from `lowest` to `highest`. The
// sample is cut to the range of the codes; values outside count in the first and the last bin. The probability of a
// code is divided equally among its bins that are not empty.
class Divergence {
 public:
  Divergence(const std::vector<float>& sample, double lowest, double highest)
      : lowest_(lowest), width_((highest - lowest) / kBins), bins_(kBins) {
    // Zeros have a code in any range, and behind a ReLU they would outweigh all other values.
    for (const float value : sample)
      if (value < 0 || value > 0) ++bins_[bin_of(static_cast<double>(value))];
  }

  double of(const Activation& fit) const {
    const std::size_t first = bin_of(static_cast<double>(fit.value(fit.format.lowest()))),
                      last = bin_of(static_cast<double>(fit.value(fit.format.highest())));
    std::vector<double> cut(bins_.begin() + static_cast<std::ptrdiff_t>(first),
                            bins_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    std::map<int, std::pair<double, int>> codes;  // code -> count of its values, and its number of non-empty bins
    std::vector<int> code(cut.size());
    double inside = 0, all = 0;
    for (std::size_t i = 0; i < cut.size(); ++i) {
      code[i] = fit.code(static_cast<float>(lowest_ + (static_cast<double>(first + i) + 0.5) * width_));
      if (cut[i] == 0) continue;
      codes[code[i]].first += cut[i];
      ++codes[code[i]].second;
      inside += cut[i];
    }
    for (std::size_t i = 0; i < kBins; ++i) {
      all += bins_[i];
      if (i < first) cut.front() += bins_[i];
      if (i > last) cut.back() += bins_[i];
    }
    constexpr double kNothing = 1e-9;  // probability of a bin that holds only values from outside the range
    double divergence = 0;
    for (std::size_t i = 0; i < cut.size(); ++i) {
      if (cut[i] == 0) continue;
      const auto found = codes.find(code[i]);
      const double q = found == codes.end() ? kNothing : found->second.first / found->second.second / inside;
      divergence += cut[i] / all * std::log(cut[i] / all / q);
    }
    return divergence;
  }

 private:
  static constexpr std::size_t kBins = 2048;
  std::size_t bin_of(double value) const {
    return static_cast<std::size_t>(std::clamp((value - lowest_) / width_, 0.0, static_cast<double>(kBins - 1)));
  }

  const double lowest_, width_;
  std::vector<double> bins_;
};

}  // namespace

int Activation::code(float value) const { return format.code_of(value, step); }

Activation fit_activation(const std::vector<float>& sample, float lowest, float highest, int bits, const Fit& fit) {
  constexpr int kParts = 32;
  constexpr double kOutside = 0.0001;
  lowest = std::min(lowest, 0.0f);
  highest = std::max(highest, 0.0f);
  Activation best = activation(lowest, highest, bits, fit.symmetric);
  const bool zeros = std::all_of(sample.begin(), sample.end(), [](float value) { return !(value < 0 || value > 0); });
  if (fit.ranges == Ranges::minmax || zeros) return best;
  if (fit.ranges == Ranges::percentile) {
    const auto [low, high] = within(sample, kOutside);
    return activation(std::min(low, 0.0), std::max(high, 0.0), bits, fit.symmetric);
  }
  const Divergence divergence(sample, lowest, highest);
  const auto error_of = [&](const Activation& one) {
    return fit.ranges == Ranges::kl ? divergence.of(one) : squared_error(one, sample);
  };
  double least = error_of(best);
  const int fewest = fit.ranges == Ranges::kl ? kParts / 8 : 1;  // 256 bins, which is one for each code of 8 bits
  for (int part = kParts - 1; part >= fewest; --part) {
    const Activation narrower =
        activation(double{lowest} * part / kParts, double{highest} * part / kParts, bits, fit.symmetric);
    const double error = error_of(narrower);
    if (error < least) {
      best = narrower;
      least = error;
    }
  }
  return best;
}

}  // namespace fansim::post_training
