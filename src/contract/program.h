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

// One step of the host's straight-line program. It waits for one named event at a time.
struct HostOp {
  enum class Kind {
    software,     // `value` cycles of software
    prepare_dma,  // the same, for the next DMA transfer
    align,        // until an edge whose number is a multiple of `value`
    write_core,   // AXI-Lite write to the core's register at `address`
    write_dma,    // AXI-Lite write to the AXI DMA's register at `address`
    poll_mm2s,    // read MM2S_DMASR until the channel is idle
    wait_job,     // the core's job interrupt
    wait_output,  // the core's end-of-layer interrupt: the last output has been written to DDR
    begin_layer,  // `value`: index in Program::layers; the machine is quiescent
    end_layer,    // the same
    // Between layers: `value` cycles of software on another processor of the host, once that is idle; until it is idle.
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

// How a layer's output lies in memory.
class StoredTensor {
 public:
  virtual ~StoredTensor() = default;
  // Its values in C,H,W or steps,features order. `memory` is byte 0.
  virtual std::vector<std::int32_t> values(const std::uint8_t* memory) const = 0;
};

// What a layer is to one kind of machine beyond its host's steps.
struct MachineLayer {
  virtual ~MachineLayer() = default;
};

struct LayerPlan {
  std::string name;
  std::string type;
  int layer = 0;  // index in the network
  std::int64_t macs = 0;
  std::int64_t passes =
      0;  // passes of the array (output tiles), and their columns (points): a lower bound of the cycles
  std::int64_t pass_columns = 0;
  // Index in the network of the pooling layer that this convolution's outputs pass on their way out; -1: none. The
  // convolution then has no output of its own, and the pooling layer has the output but no steps in the program.
  int fused_into = -1;
  // Of a layer that moves nothing (flatten, a concatenation by placement): the layers, as indices in the network,
  // whose outputs its own is. Those that the program runs, if it runs any.
  std::vector<int> made_of;
  std::shared_ptr<const StoredTensor> output;  // none: fused
  // Writes its parameters into memory, if they were left to whoever runs the program (compile::Options); none: they are
  // there.
  std::function<void(std::uint8_t* memory)> parameters;
  bool on_host = false;  // the host's software computes it
  // What that leaves in memory, at the layer's end; none: nothing, or no values are wanted.
  std::function<void(std::uint8_t* memory)> host;
  std::shared_ptr<const MachineLayer> machine;
};

inline bool parameters_are_left(const std::vector<LayerPlan>& layers) {
  return std::any_of(layers.begin(), layers.end(), [](const LayerPlan& layer) { return layer.parameters != nullptr; });
}

// All that the hardware needs to run a network: the host's program, the memory before it starts, and where results are.
// A layer without steps (one that moves nothing, or what one before is fused into) has no begin_layer and end_layer.
struct Program {
  std::vector<HostOp> ops;
  MemoryImage memory;
  std::int64_t given_bytes = 0;  // of the memory: parameters, and tensors that no layer of the program computes
  std::vector<LayerPlan> layers;
  // Writes the network's input into memory as it was before the program started, as that tensor is by then: another
  // picture on the same program. None where the input is not read, or there are no values.
  std::function<void(std::uint8_t* memory)> fill_input;
};

}  // namespace fansim::contract
