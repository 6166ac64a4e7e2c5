// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "accelerators/stream/config/config.h"
#include "contract/host_steps.h"

namespace fansim::stream {

// Something that the host does to core, DMA or memory, or waits for, and its cycles before.
struct Act {
  enum class Kind : std::uint8_t { nothing, transfer, job, wait_job, wait_output };

  Kind kind = Kind::nothing;
  bool weights = false;        // of a transfer: it is of weights or bias
  std::uint8_t half = 0;       // of a job: that of the output buffer
  std::uint32_t address = 0;   // of a transfer, or of the job's output
  std::uint32_t bytes = 0;     // of a transfer
  std::uint32_t command = 0;   // of a job: index in Script::commands
  std::uint32_t armed = 0;     // so long before it is asked for the transfer's receiver has been armed
  std::uint32_t works = 0;     // before, at other things than transfers
  std::uint32_t prepares = 0;  // then, for the transfer
};

// The acts from behind one wait for a job to the next.
struct Round {
  std::uint32_t acts = 0;
  // So many that follow differ in nothing but addresses, and these not in where they lie in a beat.
  std::uint32_t alike = 0;
};

// What the host's steps of one layer are to its time: what is written to registers is read, cycles are added up.
struct Script {
  std::vector<Act> acts;
  // What jobs do. Halves and addresses are the acts', of what has none or says nothing of time there is none: jobs that
  // take the same share a command, most of them.
  std::vector<Command> commands;
  std::vector<Round> rounds;
  int largest_write = 0;  // bytes of a transfer of outputs

  std::size_t bytes() const {
    return acts.size() * sizeof(Act) + commands.size() * sizeof(Command) + rounds.size() * sizeof(Round);
  }
};

// A transfer must have a receiver and be waited for as soon as it is asked for: what a job reads is there by the time
// it is started.
Script read_script(const contract::Program& program, const contract::LayerSteps& layer, const Config& config);

}  // namespace fansim::stream
