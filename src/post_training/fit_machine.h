// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "post_training/code_network.h"

// Codes for the registers of one machine (docs/quantisation.md, "For one machine").
namespace fansim::post_training {

// Returns as many of the inputs, spread over all, as a fit needs.
std::vector<network::Tensor> some_inputs(const network::FloatNetwork& network,
                                         const std::vector<network::Tensor>& inputs);

// Widens the steps of activations where that lets weights have finer codes: a layer's sums must fit the operand, so the
// product of both steps has a least value. Formats that the network gives stay.
void spread_steps(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs,
                  const std::vector<std::size_t>& format_of, const Coder& coder, Calibration& calibration);

// Walks over a network's layers with some inputs, in floats and in the codes that the machine makes of them.
class MachineFit {
 public:
  MachineFit(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs,
             const Calibration& calibration, const Coder& coder);

  // Computes layer `index` in floats, chooses weights, biases and scales if `layer`, the layer in codes, has some that
  // can be chosen, then computes it in codes. Layers come in order.
  void take(std::size_t index, network::Layer& layer);

 private:
  const network::Tensor& of(const std::vector<std::vector<network::Tensor>>& tensors, std::size_t input,
                            int producer) const {
    return tensors[input][static_cast<std::size_t>(producer + 1)];
  }
  void fit(std::size_t index, network::Layer& layer);
  void drop_read(std::size_t index);

  const network::FloatNetwork& network_;
  const Calibration& calibration_;
  const Coder& coder_;
  std::vector<std::size_t> last_reader_;                      // by tensor: the input, then each layer's output
  std::vector<std::vector<network::Tensor>> floats_, codes_;  // [input][tensor]
};

}  // namespace fansim::post_training
