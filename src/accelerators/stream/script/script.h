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

// Something that the host does to core, DMA or memory, or waits for, and its cycles before.
struct Act {
  enum class Kind : std::uint8_t { nothing, transfer, job, wait_job, wait_output };

  Kind kind = Kind::nothing;
  bool weights = false;        // of a transfer: it is of weights or bias
  std::uint16_t half = 0;      // of a job: that of the output buffer
  std::uint32_t address = 0;   // of a transfer, or of the job's output
  std::uint32_t bytes = 0;     // of a transfer
  std::uint32_t command = 0;   // of a job: index in Script::commands
  std::uint32_t armed = 0;     // so long before it is asked for the transfer's receiver has been armed
  std::uint32_t works = 0;     // before, at other things than transfers
  std::uint32_t prepares = 0;  // then, for the transfer
  std::uint32_t step = 0;      // of the address, from one time that its round comes to the next

  Act at(std::uint32_t time) const {
    Act act = *this;
    act.address += time * step;
    return act;
  }
};

// The acts from behind one wait for a job to the next, and how often they come, one time behind the other.
struct Round {
  std::uint32_t acts = 0;
  std::uint32_t times = 1;
  bool alike = true;  // addresses lie each time as far into a beat
};

// What the host's steps of one layer are to its time: what is written to registers is read, cycles are added up.
struct Script {
  std::vector<Act> acts;  // of each round once, then what is behind the last
  // What jobs do. Halves and addresses are the acts', of what has none or says nothing of time there is none: jobs that
  // take the same share a command, most of them.
  std::vector<Command> commands;
  std::vector<Round> rounds;
  int largest_write = 0;  // bytes of a transfer of outputs

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

// A transfer must have a receiver and be waited for as soon as it is asked for: what a job reads is there by the time
// it is started. `left_out` of the layer: of at least two rounds alike before, the second tells how far on each lies.
Script read_script(const contract::Program& program, const contract::LayerSteps& layer, const Config& config,
                   const LeftOuts& left_out = {});

}  // namespace fansim::stream
