// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "compile/compile.h"
#include "contract/program.h"

namespace fansim::accelerators {

// Images to classify, or to learn from one after the other.
struct Batch {
  const std::uint8_t* images = nullptr;  // as many bytes of each as the network's input has
  const std::uint8_t* labels = nullptr;
  std::size_t count = 0;
  const std::vector<std::uint32_t>* weights = nullptr;  // of all layers, words of single precision
  bool train = false;
};

// The program's first layer brings the weights, the last one takes them back if they were trained; each image is one
// layer between. Results and weights are words of single precision in memory.
struct BatchProgram {
  contract::Program program;
  std::uint32_t weights = 0;                    // their address
  std::uint32_t results = 0, result_pitch = 0;  // the first image's, and from image to image
  int classes = 0;
};

using CompiledBatch = std::variant<BatchProgram, compile::Unschedulable>;

}  // namespace fansim::accelerators
