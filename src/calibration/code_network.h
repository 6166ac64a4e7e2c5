// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arith/quantisation/component.h"
#include "calibration/calibrate.h"

namespace fansim::calibration {

struct Coder {
  const arith::QuantisationMethod* method = nullptr;
  int weight_bits = 8, activation_bits = 8;
  bool per_channel = false;  // each output's weights have a scale of their own
  bool corrects = false;     // biases take off what coded weights add to outputs on average
  Fit fit = {};              // of activations
};

// The widths of the method's build in configs/systems; of another method 8, or the nearest it defines.
Coder usual_coder(const arith::QuantisationMethod& method);

// A network in a method's codes, or why the method cannot take it.
struct Coded {
  Coder coder;
  Calibration calibration;  // of its width
  std::optional<network::Network> network;
  std::string refusal;
};

// Weights projected by the method, fitted to each layer; biases and scales from what codes stand for
// (docs/quantisation.md). The network's input is the first, or zeros; there may be none if every format is given. One
// for each coder; UserError if none can take the network.
std::vector<Coded> code_networks(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs,
                                 const std::vector<Coder>& coders);

}  // namespace fansim::calibration
