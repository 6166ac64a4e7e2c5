// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/left_out.h"
#include "contract/host_steps.h"

namespace fansim::stream {

// Something that the host does to core, DMA or memory, or waits for, and its cycles before that.
struct Act {
  enum class Kind : std::uint8_t { nothing, transfer, job, wait_job, wait_output };

  Kind kind = Kind::nothing;
  bool weights = false;        // of a transfer: it carries weights or bias
  std::uint16_t half = 0;      // of a job: the half of the output buffer
  std::uint32_t address = 0;   // of a transfer, or of the job's output
  std::uint32_t bytes = 0;     // of a transfer
  std::uint32_t command = 0;   // of a job: index in HostTrace::commands
  std::uint32_t armed = 0;     // how long before its request the transfer's receiver was armed
  std::uint32_t works = 0;     // cycles of work before, for other things than transfers
  std::uint32_t prepares = 0;  // cycles of work behind those, for the transfer
  std::uint32_t step = 0;      // of the address, from one time of its round to the next

  Act at(std::uint32_t time) const {
    Act act = *this;
    act.address += time * step;
    return act;
  }
};

// The acts from behind one wait for a job to the next wait, and how often they come one behind the other.
struct Round {
  std::uint32_t acts = 0;
  std::uint32_t times = 1;
  bool alike = true;  // each time, the addresses lie as far into a beat
};

// What the host does in one layer, as far as time is concerned: what it writes to registers is decoded, its cycles are
// added up, and acts that repeat are kept once.
struct HostTrace {
  std::vector<Act> acts;  // of each round once, then those behind the last round
  // What jobs do. Fields that say nothing of time are zero, and so are halves and addresses, which the acts have: most
  // jobs share a command with others.
  std::vector<Command> commands;
  std::vector<Round> rounds;
  int largest_write = 0;  // the most bytes of a transfer of outputs

  std::size_t bytes() const {
    return acts.size() * sizeof(Act) + commands.size() * sizeof(Command) + rounds.size() * sizeof(Round);
  }
  // Calls visit(act) for every act, in order.
  template <class Visit>
  void each(Visit&& visit) const {
    const Act* next = acts.data();
    for (const Round& round : rounds) {
      for (std::uint32_t time = 0; time < round.times; ++time)
        for (std::uint32_t i = 0; i < round.acts; ++i) visit(next[i].at(time));
      next += round.acts;
    }
    std::for_each(next, acts.data() + acts.size(), visit);
  }
};

// Every transfer must have a receiver and be waited for as soon as it is requested, so that what a job reads is there
// when the job starts. `left_out`: rounds that the program leaves out; at least two that are alike come before them,
// and the second tells how far apart their addresses lie.
HostTrace host_trace(const contract::Program& program, const contract::LayerSteps& layer, const Config& config,
                     const LeftOuts& left_out = {});

}  // namespace fansim::stream
