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

// Writes the parameters that a program left for later, layer after layer, while the layers before them run. On one core
// it writes them when a layer waits for them.
class ParametersAhead {
 public:
  // Both arguments must outlive this object.
  ParametersAhead(const std::vector<contract::LayerPlan>& layers, std::uint8_t* memory);
  // What has not been written by now may never be.
  ~ParametersAhead();

  // Waits until the parameters of this layer and of all before it are written. Throws what prevented that.
  void wait_for(std::size_t layer);

 private:
  void write(std::size_t layer);

  const std::vector<contract::LayerPlan>& layers_;
  std::uint8_t* const memory_;
  std::mutex mutex_, without_thread_;
  std::condition_variable written_more_;
  std::size_t written_ = 0;  // number of layers written
  std::exception_ptr failure_;
  std::atomic<bool> stopped_{false};
  std::thread writer_;  // none: nothing was left, or there is one core
};

// Does the same for several runs of a program, in a memory that none of them writes and that holds nothing else.
class SharedParameters {
 public:
  explicit SharedParameters(const contract::Program& program)
      : layers_(program.layers), memory_(program.memory.size()), ahead_(layers_, memory_.data()) {}

  const std::uint8_t* memory() const { return memory_.data(); }
  // `layer` is the layer's place in the program.
  void wait_for(std::size_t layer) { ahead_.wait_for(layer); }

 private:
  const std::vector<contract::LayerPlan> layers_;
  contract::MemoryImage memory_;
  ParametersAhead ahead_;
};

}  // namespace fansim::timing
