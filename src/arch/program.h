// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/code_book.h"
#include "arch/encoded_map.h"

namespace fansim::arch {

// One step of the host's straight-line program. It waits for one named event at a time.
struct HostOp {
  enum class Kind {
    software,     // `value` cycles of software; `address` 1: they prepare a DMA transfer
    align,        // until an edge whose number is a multiple of `value`
    write_core,   // AXI-Lite write to the core's register at `address`
    write_dma,    // AXI-Lite write to the AXI DMA's register at `address`
    poll_mm2s,    // read MM2S_DMASR until the channel is idle
    wait_job,     // the core's job interrupt
    wait_output,  // the core's end-of-layer interrupt: the last output has been written to DDR
    begin_layer,  // `value`: index in Program::layers; the machine is quiescent
    end_layer,    // the same
  };
  Kind kind;
  std::uint32_t address = 0;
  std::uint32_t value = 0;
};

// Where a tensor lies in DDR. A map is planes of `lanes` channels, each [rows][columns][lanes] with its border;
// `address` is that of the first byte inside the border. A sequence is [steps] vectors `row_pitch` bytes apart.
struct TensorPlace {
  std::uint32_t address = 0;
  int channels = 0, height = 1, width = 1;
  int lanes = 8;
  int row_pitch = 0;
  int plane_pitch = 0;
  bool sequence = false;

  std::uint32_t at(int channel, int row, int column) const {
    return address + static_cast<std::uint32_t>(channel / lanes * plane_pitch + row * row_pitch + column * lanes +
                                                channel % lanes);
  }
  // Of a sequence: steps are rows, features are channels packed one after another.
  std::uint32_t at(int step, int feature) const {
    return address + static_cast<std::uint32_t>(step * row_pitch + feature);
  }
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
  TensorPlace output;
  // Of the tiled accelerator, in place of `output`; what its weights' codes stand for; its jobs.
  std::optional<EncodedMap> map;
  CodeBook codes;
  std::vector<TiledJob> jobs;
};

// All that the hardware needs to run a network: the host's program, the memory before it starts, and where results are.
// A layer without steps (flatten, fused pooling) has no begin_layer and end_layer.
struct Program {
  std::vector<HostOp> ops;
  std::vector<std::uint8_t> memory;
  std::vector<LayerPlan> layers;
};

}  // namespace fansim::arch
