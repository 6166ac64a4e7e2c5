// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/layer.h"
#include "network/tensor.h"

namespace fansim::network {

// Names the quantisation method in whose codes a network's files have its weights.
struct Coding {
  std::string method;
  int weight_bits = 8, activation_bits = 8;
  std::string floats;  // file of the network of floats from which it was made; empty: not known
};

struct Network {
  std::string name;
  std::string hash;  // FNV-1a of the YAML text and the tensors' files
  Tensor input;
  bool input_given = false;  // a file gives it; otherwise it is random
  double input_step = 0;     // real value of one unit of the input's codes; 0: not known
  std::vector<Layer> layers;
  std::optional<Coding> coding;  // empty: int8 integers, or floats

  NumberFormat computed_format() const;  // number format of what conv and fc compute, unless they have another one
  const NumberFormat& format(int producer) const;  // the layer's output, or the input for Layer::kInput
  const Shape& shape(int producer) const;
  double step(int producer) const;  // step of its codes; 0: not known
};

// Rounds floats to a tensor's codes.
void give_codes(Tensor& tensor, const std::vector<float>& values, double step);
// Sets the network's input, whose step must be known.
void give_input(Network& network, const std::vector<float>& values);

struct LoadOptions {
  std::uint64_t seed = 1;      // for tensors that the network does not carry
  std::string input;           // .npy file of the input tensor; empty: random
  bool values = true;          // false: no input, weights or bias (timing needs none)
  bool weights_later = false;  // random weights become Parameters::later
  std::string checkpoint;      // file of a training, whose weights replace the network's; empty: none
  std::function<std::vector<bool>(const Network&)> wanted;  // returns the layers whose weights are drawn; null: all
};

// Reads a network (section "Networks" of the documentation), infers every shape, and loads or derives every tensor.
Network load_network(const std::string& path, const LoadOptions& options = {});

}  // namespace fansim::network
