// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "compile/compile.h"

namespace fansim::stream {

// Holds the bytes that one MM2S transfer brings from DDR; there is no transfer if `bytes` is 0.
struct Transfer {
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;
};

inline bool operator==(const Transfer& a, const Transfer& b) { return a.address == b.address && a.bytes == b.bytes; }

// Holds a command and what must be in the buffers when it starts. The host program adds the select and receive bits.
struct Job {
  Command command;
  Transfer input, weights, bias;  // contents of the half that is read
  Transfer resident;              // contents of the resident weight store
};

// A job that is repeated. Each time its data lie further on in memory by the same steps.
struct RepeatedJob {
  Job first;
  int times = 1;
  std::uint32_t input_step = 0, weights_step = 0;  // steps of the transfers' addresses
  int weight_base_step = 0;

  Job at(int time) const {
    Job job = first;
    job.input.address += static_cast<std::uint32_t>(time) * input_step;
    job.weights.address += static_cast<std::uint32_t>(time) * weights_step;
    job.command.weight_base += time * weight_base_step;
    return job;
  }
};
using Jobs = std::vector<RepeatedJob>;

}  // namespace fansim::stream
