// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "contract/program.h"

namespace fansim::timing {

// Writes the parameters that a program left for later, layer after layer, while the layers before them run; on one core
// when a layer waits for them.
class ParametersAhead {
 public:
  // Both stay where they are.
  ParametersAhead(const std::vector<contract::LayerPlan>& layers, std::uint8_t* memory);
  // What is not written by then may never be.
  ~ParametersAhead();

  // Until those of this layer and of all before it are written. Throws what kept them from it.
  void wait_for(std::size_t layer);

 private:
  void write(std::size_t layer);

  const std::vector<contract::LayerPlan>& layers_;
  std::uint8_t* const memory_;
  std::mutex mutex_, without_thread_;
  std::condition_variable written_more_;
  std::size_t written_ = 0;  // layers
  std::exception_ptr failure_;
  std::atomic<bool> stopped_{false};
  std::thread writer_;  // none: nothing was left, or there is one core
};

// The same for several runs of a program, in a memory that none of them writes: it holds nothing else.
class SharedParameters {
 public:
  explicit SharedParameters(const contract::Program& program)
      : layers_(program.layers), memory_(program.memory.size()), ahead_(layers_, memory_.data()) {}

  const std::uint8_t* memory() const { return memory_.data(); }
  // By the layer's place in the program.
  void wait_for(std::size_t layer) { ahead_.wait_for(layer); }

 private:
  const std::vector<contract::LayerPlan> layers_;
  contract::MemoryImage memory_;
  ParametersAhead ahead_;
};

}  // namespace fansim::timing
