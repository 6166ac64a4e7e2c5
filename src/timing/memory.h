// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arch/stream_config.h"
#include "timing/read_waits.h"

namespace fansim::timing {

// A burst as a DMA engine pushes it.
struct Burst {
  Edge pushed = 0;
  std::uint32_t address = 0;
  int beats = 0;
};

// What a memory decided next.
struct MemoryEvent {
  enum class Kind {
    read_data,   // `beats` further beats of the oldest read burst are pushed from `edge` on, one per edge
    write_data,  // the oldest write burst without data pops its beats from `edge` on
    response,    // that of the oldest write burst is pushed at `edge`
  };
  Kind kind = Kind::read_data;
  Edge edge = 0;
  int beats = 0;
};

// The DDR behind one port. Bursts of a direction are told in order, each before an event that comes after it.
class Memory {
 public:
  virtual ~Memory() = default;

  virtual void read(const Burst& burst) = 0;
  virtual void write(const Burst& burst) = 0;
  // The beats of the oldest write burst with beats to come were popped, one per edge from `popped` on.
  virtual void written(Edge popped) = 0;
  // Events come in the order of the decisions behind them; false: nothing is left to decide.
  virtual bool next(MemoryEvent& event) = 0;

  // Whether the decision on the last read burst can repeat itself. If so: what decides further ones as long as nothing
  // else is on the bus, seen from edge origin(), appended to `state`; how many more come before anything else can, if
  // one is taken every `period` edges; and so many of them taken.
  virtual bool repeats() const = 0;
  virtual Edge origin() const = 0;
  virtual void describe(std::vector<Edge>& state) const = 0;
  virtual std::int64_t repeatable(Edge period) const = 0;
  virtual void skip(std::int64_t bursts, Edge period) = 0;

  // What the oldest outstanding read waited for, as of the decisions so far.
  const ReadWaits& read_waits() const { return waits_; }

 protected:
  ReadWaits waits_;
};

std::unique_ptr<Memory> make_memory(const arch::StreamConfig& config);

}  // namespace fansim::timing
