// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/float/float_network.h"

namespace fansim::post_training {

// Defines what an activation's code stands for: (code - format.zero_point) * step.
struct Activation {
  network::NumberFormat format;
  double step = 1;

  int code(float value) const;
  float value(int code) const { return static_cast<float>((code - format.zero_point) * step); }
};

bool same(const Activation& a, const Activation& b);

// Chooses the range that the codes cover. mse: the range with the least squared error over the sample; minmax: all of
// it; percentile: from 0.01 % to 99.99 % of the sample; kl: the range with the least Kullback-Leibler divergence of the
// codes' distribution from the sample's, in 2,048 bins.
enum class Ranges { mse, minmax, percentile, kl };

struct Fit {
  Ranges ranges = Ranges::mse;
  bool symmetric = false;  // signed codes about 0; else unsigned codes with a zero point (signed codes if they have 16
                           // bits)
};

// Fits codes to the chosen part of the range from `lowest` to `highest`, which is widened to hold 0.
Activation fit_activation(const std::vector<float>& sample, float lowest, float highest, int bits, const Fit& fit = {});

// Holds the values of tensors that share a format: the extremes of all, and a sample of up to 2^16 values of each
// tensor, over all inputs.
struct Observed {
  float lowest = 0, highest = 0;
  std::vector<float> sample;
};

// Holds what a float run shows of a network. It does not depend on the width of the codes.
struct Observations {
  std::vector<std::size_t> format_of;  // an index of `formats` for the input, then for each layer's output
  std::vector<Observed> formats;
  std::vector<double> window_sums;  // for each conv or fc layer, the mean sum of an output's inputs
  // For the same layers, the mean of each channel that is read (conv), or of each element (fc).
  std::vector<std::vector<double>> read_means;
};

// Holds what calibration data says about a network.
struct Calibration {
  std::vector<Activation> activations;  // one for the input, then one for each layer's output
  std::vector<double> window_sums;      // copied from the observations
  std::vector<std::vector<double>> read_means;

  const Activation& of(int producer) const { return activations[static_cast<std::size_t>(producer + 1)]; }
};

// Converts a float32 tensor to codes.
network::Tensor code_input(const network::Tensor& input, const Activation& activation);

// Reads float32 inputs of the network from an .npy file, which holds one input or a batch. Throws UserError, which
// names the file and the rule that it breaks.
std::vector<network::Tensor> read_inputs(const std::string& path, const network::Network& network);

// Runs the network in floats on every input. Tensors whose numbers meet unscaled share one format: those before and
// after relu, pooling, flatten and the layers that only move elements.
Observations observe(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs);

// Chooses the formats of all activations. With 8 bits, formats that the network gives are taken as they are; throws
// UserError where tensors that share a format are given two.
Calibration calibrate(const network::FloatNetwork& network, const Observations& observations, int bits,
                      const Fit& fit = {});

// Names the tensors that have no given format: "the input", or the layer in quotes whose output they are. Codes of 8
// bits need no inputs if there is none.
std::vector<std::string> tensors_without_format(const network::FloatNetwork& network);

}  // namespace fansim::post_training
