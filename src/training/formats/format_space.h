// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::training::formats {

struct Format {
  int exponent = 8, mantissa = 7;  // bits, beside the sign
  int bits() const { return 1 + exponent + mantissa; }

  // Of the machine, whose words are single precision.
  static constexpr int kMostExponent = 8, kMostMantissa = 23, kMostBits = 1 + kMostExponent + kMostMantissa;
  static constexpr int kLeastBits = 4;
};

// A part of the machine that has one format; its accumulators may be wider.
struct Layer {
  std::string name;
  std::vector<std::string>
      words;  // "convolution.forward": convolution.forward_exponent and convolution.forward_mantissa
  std::vector<std::string> sums;
};

// A format to each layer.
using Combination = std::vector<Format>;

// What a file with the key `formats` says (docs/trainer.md, "Which formats").
struct FormatSpace {
  std::string name;
  std::string config;
  std::vector<std::string> set;  // key.path=value, the same for every combination
  int least_bits = 16, most_bits = 32;
  int first_exponent = 5;
  int sum_mantissa = 0;  // of accumulators, at least
  double target_percent = 93;
  std::vector<Layer> layers;

  // How a combination is tried.
  std::string data;  // a folder; empty: digits that are drawn
  int images = 12'000, test = 2'000, epochs = 1;

  // key.path=value of a combination.
  std::vector<std::string> overrides(const Combination& combination) const;
  // "convolution 8.15 fc1 8.7", runs of layers of one format together.
  std::string text(const Combination& combination) const;
  // Everything that a combination's score depends on but the configuration, the network and the seed.
  std::string identity() const;
};

bool is_format_space(const std::string& path);
// UserError with file, line and column.
FormatSpace load_format_space(const std::string& path);

}  // namespace fansim::training::formats
