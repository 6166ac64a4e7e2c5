// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::training::formats {

struct Format {
  int exponent = 8, mantissa = 7;  // bits; the sign is one more
  int bits() const { return 1 + exponent + mantissa; }

  // The limits are the machine's: its words are single precision.
  static constexpr int kMostExponent = 8, kMostMantissa = 23, kMostBits = 1 + kMostExponent + kMostMantissa;
  static constexpr int kLeastBits = 4;
};

// Describes a part of the machine that has one format. Its accumulators may be wider.
struct Layer {
  std::string name;
  std::vector<std::string>
      words;  // "convolution.forward" stands for convolution.forward_exponent and convolution.forward_mantissa
  std::vector<std::string> sums;
};

// Holds one format for each layer.
using Combination = std::vector<Format>;

// Holds the content of a file with the key `formats` (docs/trainer.md, "Which formats").
struct FormatSpace {
  std::string name;
  std::string config;
  std::vector<std::string> set;  // key.path=value, the same for every combination
  int least_bits = 16, most_bits = 32;
  int first_exponent = 5;
  int sum_mantissa = 0;  // least mantissa of the accumulators
  double target_percent = 93;
  std::vector<Layer> layers;

  // These say how a combination is tried.
  std::string data;  // a folder; empty: drawn digits
  int images = 12'000, test = 2'000, epochs = 1;

  // Returns the key.path=value settings of a combination.
  std::vector<std::string> overrides(const Combination& combination) const;
  // Returns "convolution 8.15 fc1 8.7": successive layers of one format are written together.
  std::string text(const Combination& combination) const;
  // Returns everything on which a combination's score depends, except the configuration, the network and the seed.
  std::string identity() const;
};

bool is_format_space(const std::string& path);
// Throws UserError with file, line and column.
FormatSpace load_format_space(const std::string& path);

}  // namespace fansim::training::formats
