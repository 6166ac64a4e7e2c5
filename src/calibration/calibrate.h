// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/float/float_network.h"

namespace fansim::calibration {

// What an activation's code stands for: (code - format.zero_point) * step.
struct Activation {
  network::NumberFormat format;
  double step = 1;

  int code(float value) const;
  float value(int code) const { return static_cast<float>((code - format.zero_point) * step); }
};

bool same(const Activation& a, const Activation& b);

// How a range is chosen, of all up to the extremes: the least squared error over the sample; all of it; what lies
// between 0.01 % and 99.99 % of the sample; the least divergence (Kullback and Leibler) of the codes' distribution from
// the sample's, in 2,048 bins.
enum class Ranges { mse, minmax, percentile, kl };

struct Fit {
  Ranges ranges = Ranges::mse;
  bool symmetric = false;  // signed codes about 0, else unsigned ones about a zero point (of 16 bits: signed)
};

// Codes of the chosen part of `lowest` to `highest`, widened to hold 0.
Activation fit_activation(const std::vector<float>& sample, float lowest, float highest, int bits, const Fit& fit = {});

// The values of tensors that share a format: of each up to 2^16 over all inputs, and the extremes of all.
struct Observed {
  float lowest = 0, highest = 0;
  std::vector<float> sample;
};

// What floats say of a network, whatever the width of codes.
struct Observations {
  std::vector<std::size_t> format_of;  // of the input, then of each layer's output: an index of `formats`
  std::vector<Observed> formats;
  std::vector<double> window_sums;  // of each layer that computes: mean of the sum of an output's inputs
  // Of the same: mean of each channel read (conv), or of each element (fc).
  std::vector<std::vector<double>> read_means;
};

// What calibration data says of a network.
struct Calibration {
  std::vector<Activation> activations;  // of the input, then of each layer's output
  std::vector<double> window_sums;      // as observed
  std::vector<std::vector<double>> read_means;

  const Activation& of(int producer) const { return activations[static_cast<std::size_t>(producer + 1)]; }
};

// A float32 tensor in codes.
network::Tensor code_input(const network::Tensor& input, const Activation& activation);

// Float32 inputs of that network from an .npy file, one or a batch. UserError names the file and the rule broken.
std::vector<network::Tensor> read_inputs(const std::string& path, const network::Network& network);

// Runs the network in floats on every input. Tensors whose numbers meet unscaled (those before and after relu,
// pooling, flatten and what moves elements) share one format.
Observations observe(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs);

// Formats that the network is given, of 8 bits, are as given; UserError where tensors that share one are given two.
Calibration calibrate(const network::FloatNetwork& network, const Observations& observations, int bits,
                      const Fit& fit = {});

// Every format is: of 8 bits no inputs are needed.
bool formats_given(const network::FloatNetwork& network);

}  // namespace fansim::calibration
