// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "contract/memory_image.h"

namespace fansim::contract {

// One step of the host's straight-line program. It waits for at most one named event.
struct HostOp {
  enum class Kind {
    software,     // spend `value` cycles in software
    prepare_dma,  // spend them to prepare the next DMA transfer
    align,        // wait for an edge whose number is a multiple of `value`
    write_core,   // AXI-Lite write to the core's register at `address`
    write_dma,    // AXI-Lite write to the AXI DMA's register at `address`
    poll_mm2s,    // read MM2S_DMASR until the channel is idle
    wait_job,     // wait for the core's job interrupt
    wait_output,  // wait for the core's end-of-layer interrupt: the last output has been written to DDR
    begin_layer,  // `value`: index in Program::layers; the machine is quiescent
    end_layer,    // `value` as for begin_layer
    // These come between layers. start_thread spends `value` cycles of software on another processor of the host, once
    // that is idle; wait_thread waits until it is idle.
    start_thread,
    wait_thread,
  };
  static constexpr std::array<const char*, 12> kWords{
      "software", "prepare_dma", "align",       "write_core", "write_dma",    "poll_mm2s",
      "wait_job", "wait_output", "begin_layer", "end_layer",  "start_thread", "wait_thread",
  };
  Kind kind;
  std::uint32_t address = 0;
  std::uint32_t value = 0;
};

// A tensor that lies in memory in a machine's layout.
class StoredTensor {
 public:
  virtual ~StoredTensor() = default;
  // Returns its values in the order C,H,W or steps,features. `memory` is byte 0.
  virtual std::vector<std::int32_t> values(const std::uint8_t* memory) const = 0;
};

// What one kind of machine adds to a layer beyond the host's steps.
struct MachineLayer {
  virtual ~MachineLayer() = default;
};

struct LayerPlan {
  std::string name;
  std::string type;
  int layer = 0;  // index in the network
  std::int64_t macs = 0;
  // Passes of the array (or output tiles) and their columns (or points). Each column takes at least one cycle.
  std::int64_t passes = 0;
  std::int64_t pass_columns = 0;
  // Index in the network of the pooling layer or table that this layer's outputs pass on their way out; -1 if there is
  // none. A layer that is fused has no output of its own. The layer into which it is fused has the output but no steps
  // in the program.
  int fused_into = -1;
  // For a layer that moves nothing (flatten, a concatenation by placement): the layers whose outputs make up its own,
  // as indices in the network. They are layers that the program runs, if it runs any of them.
  std::vector<int> made_of;
  std::shared_ptr<const StoredTensor> output;  // null if the layer is fused into another one
  // Writes the layer's parameters into memory, if they were left to whoever runs the program (compile::Options). If it
  // is empty, they are there already.
  std::function<void(std::uint8_t* memory)> parameters;
  bool on_host = false;  // the host's software computes this layer
  // Computes, at the layer's end, what the host's software leaves in memory. It is empty if that is nothing, or no
  // values are wanted.
  std::function<void(std::uint8_t* memory)> host;
  std::shared_ptr<const MachineLayer> machine;
};

inline bool parameters_are_left(const std::vector<LayerPlan>& layers) {
  return std::any_of(layers.begin(), layers.end(), [](const LayerPlan& layer) { return layer.parameters != nullptr; });
}

// All that the hardware needs to run a network: the host's program, the memory before it starts, and where results are.
// A layer without steps (one that moves nothing, or into which an earlier one is fused) has no begin_layer and
// end_layer.
struct Program {
  std::vector<HostOp> ops;
  MemoryImage memory;
  // Bytes of the memory that hold parameters, and tensors that no layer of the program computes.
  std::int64_t given_bytes = 0;
  std::vector<LayerPlan> layers;
  // Writes the network's input as it is when called into memory, where it was before the program started. Callers use
  // it to run another picture on the same program. It is empty if the input is not read or there are no values.
  std::function<void(std::uint8_t* memory)> fill_input;
};

}  // namespace fansim::contract
