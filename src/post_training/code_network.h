// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arith/quantisation/component.h"
#include "arith/quantiser.h"
#include "post_training/calibrate.h"

namespace fansim::post_training {

struct Coder {
  const arith::QuantisationMethod* method = nullptr;
  int weight_bits = 8, activation_bits = 8;
  bool per_channel = false;  // each output's weights have a scale of their own
  bool corrects = false;     // biases subtract what coded weights add to outputs on average
  Fit fit = {};              // of the activations
  // The quantiser of the machine that will run the codes. Then weights, biases, scales and steps are chosen for its
  // registers (docs/quantisation.md, "For one machine"); none: for wide ones.
  std::optional<arith::QuantiserFormat> machine = {};
};

// Returns the widths of the method's configuration in configs/systems or, for a method without one, 8 bits or the
// nearest width that it defines.
Coder usual_coder(const arith::QuantisationMethod& method);

// Holds a network in a method's codes, or the reason why the method cannot code it.
struct Coded {
  Coder coder;
  Calibration calibration;  // at the coder's activation width
  std::optional<network::Network> network;
  std::string refusal;
};

// Codes the network once for each coder. Weights are projected by the method, fitted to each layer; biases and scales
// follow from what the codes stand for (docs/quantisation.md). The network's input becomes the first of `inputs`, or
// zeros; `inputs` may be empty if every format is given. Throws UserError if no coder can take the network.
std::vector<Coded> code_networks(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs,
                                 const std::vector<Coder>& coders);

}  // namespace fansim::post_training
