// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "compile/compile.h"
#include "contract/program.h"
#include "network/network.h"

namespace fansim::accelerators {

// Holds images to classify, or to learn from one after another.
struct Batch {
  const std::uint8_t* images = nullptr;  // each image has as many bytes as the network's input
  const std::uint8_t* labels = nullptr;
  std::size_t count = 0;
  const std::vector<std::uint32_t>* weights = nullptr;  // weights of all layers, in single precision
  bool train = false;
};

// Holds a program whose first layer loads the weights and whose last layer stores them if they were trained; each image
// is one layer in between. Results and weights lie in memory in single precision.
struct BatchProgram {
  contract::Program program;
  std::uint32_t weights = 0;                    // address of the weights
  std::uint32_t results = 0, result_pitch = 0;  // address of the first image's result, and distance between results
  int classes = 0;
};

using CompiledBatch = std::variant<BatchProgram, compile::Unschedulable>;

// Provides what a machine that trains networks does, besides running them.
class Trainer {
 public:
  virtual ~Trainer() = default;

  // Compiles a program that takes a batch of images through the network. The batch also carries the weights.
  virtual CompiledBatch compile_batch(const network::Network& network, const Batch& batch) const = 0;
  // Returns the arithmetic in words. Weights that one design has trained cannot be used by another.
  virtual std::string design() const = 0;
  virtual double learning_rate() const = 0;
};

}  // namespace fansim::accelerators
