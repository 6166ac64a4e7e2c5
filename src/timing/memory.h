// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/rational.h"
#include "contract/ddr.h"
#include "timing/read_waits.h"

namespace fansim::timing {

// Who reads through a port of the memory.
class ReadSink {
 public:
  virtual ~ReadSink() = default;
  // The next `beats` beats of the oldest burst may leave the memory from `from` on, one per edge; the last one's edge.
  virtual Edge data(int beats, Edge from) = 0;
};

// Who writes through it.
class WriteSource {
 public:
  virtual ~WriteSource() = default;
  // The oldest burst that was not is taken from `from` on.
  virtual void take(Edge from) = 0;
  // The response to the oldest burst without one may leave the memory from `from` on.
  virtual void respond(Edge from) = 0;
};

// The DDR behind its ports, in edges of their clock. What is asked for must be told before an event that comes
// after it.
class Memory {
 public:
  static constexpr std::size_t kMostPorts = 4;

  virtual ~Memory() = default;

  virtual void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) = 0;
  // May take the burst at once.
  virtual void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) = 0;
  // Further beats of the port's oldest burst that is not written whole were popped, one per edge from `popped` on. May
  // respond at once.
  virtual void written(int port, int beats, Edge popped) = 0;
  // Makes the next decisions, until somebody may go on, and tells those whom they concern; false: nothing is left to
  // decide.
  virtual bool next() = 0;

  // Of one port by itself. Whether the decision on the last read burst can repeat itself. If so: what decides further
  // ones as long as nothing else is on the bus, seen from edge origin(), appended to `state`; how many more come before
  // anything else can, if one is taken every `period` edges; and so many of them taken.
  virtual bool repeats() const = 0;
  virtual Edge origin() const = 0;
  virtual void describe(std::vector<Edge>& state) const = 0;
  virtual std::int64_t repeatable(Edge period) const = 0;
  virtual void skip(std::int64_t bursts, Edge period) = 0;

  // Of one port's requests of one direction while there are no others. What decides them; false: not known.
  struct Alone {
    Edge until = kLongAgo;     // decisions no later than this are on nobody else's
    Edge refresh = kNever;     // the next one is due
    Edge decided = kLongAgo;   // no decision so far was later
    std::vector<Edge> edges;   // of which all decisions to come are as much later as these
    std::vector<int> numbers;  // and beside them
  };
  virtual bool alone(int, const ReadSink&, Alone&) const { return false; }
  virtual bool alone(int, const WriteSource&, Alone&) const { return false; }
  // Goes on as if what decides were this.
  virtual void go_on(int, ReadSink&, const Alone&) {}
  virtual void go_on(int, WriteSource&, const Alone&) {}
  // What the port's oldest read waited for meanwhile.
  void add_wait(int port, const ReadWaits::Wait& wait) { waits(port).add(wait.span.from, wait.span.to, wait.why); }

  // What the port's oldest outstanding read waited for, as of the decisions so far.
  const ReadWaits& read_waits(int port) const { return waits_[static_cast<std::size_t>(port)]; }

 protected:
  ReadWaits& waits(int port) { return waits_[static_cast<std::size_t>(port)]; }

 private:
  std::array<ReadWaits, kMostPorts> waits_;
};

// The memory that `config` asks for, behind ports of so many bytes a beat on a clock of their own.
std::unique_ptr<Memory> make_memory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz,
                                    int ports);

}  // namespace fansim::timing
