// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "contract/host.h"
#include "contract/host_steps.h"
#include "timing/edge.h"

namespace fansim::stream {

// Something that the host does to core, DMA or memory, or waits for, and its cycles before.
struct Act {
  enum class Kind : std::uint8_t { nothing, transfer, job, wait_job, wait_output };
  enum Buffer : std::uint8_t { kInput, kWeights, kBias, kOutput };

  Kind kind = Kind::nothing;
  Buffer buffer = kInput;  // of a transfer: it is the one that is received, and `halves` of it the one
  // Of input, weights, bias and output: those that a job reads and the one that it writes.
  std::array<std::uint8_t, 4> halves{};
  std::uint32_t address = 0;  // of a transfer, or of the job's output
  std::uint32_t bytes = 0;    // of a transfer
  std::uint32_t command = 0;  // of a job: index in Script::commands
  std::uint32_t armed = 0;    // so long before it is asked for the transfer's receiver has been armed
  timing::Edge works = 0;     // before, at other things than transfers
  timing::Edge prepares = 0;  // then, for the transfer
};

// What the host's steps of one layer are to its time: what is written to registers is read, cycles are added up.
struct Script {
  std::vector<Act> acts;
  // What jobs do. Halves and addresses are the acts', of what has none or says nothing of time there is none: jobs that
  // take the same share a command, most of them.
  std::vector<Command> commands;

  std::size_t bytes() const { return acts.size() * sizeof(Act) + commands.size() * sizeof(Command); }
};

// A transfer must be waited for as soon as it is asked for, and have a receiver.
Script read_script(const contract::Program& program, const contract::LayerSteps& layer,
                   const contract::HostConfig& host);

}  // namespace fansim::stream
