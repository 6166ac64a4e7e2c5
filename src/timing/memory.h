// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/rational.h"
#include "contract/ddr.h"
#include "rules/burst.h"
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

// All bursts of a read, each of which is asked for before the one before it is through, unless data take too long.
struct Train {
  Edge arrival = 0;          // of the first one
  Edge longest_latency = 0;  // of the memory, with which that is so
  rules::BurstStarts starts;
};

// All bursts of a write: the decisions on the first and on the last one, and when that holds the bus.
struct WholeWrite {
  Edge first = kNever, last = kNever;
  Span burst;

  void shift(Edge by) { first += by, last += by, burst.from += by, burst.to += by; }
};

// Where a write meets a read that is running, alone on the bus but for it.
struct Meeting {
  Edge at = 0;            // the first decision on the write, as far as the read goes
  std::int64_t beat = 0;  // of the read, the first behind that
  std::int64_t last = 0;  // up to this one all its bursts are of one length
  std::int64_t read = 0;  // which one it is
  Edge refresh_due = 0;   // the next one
  bool behind = false;    // it does not: the read is through before, and before the next refresh
};

// The DDR behind its ports, in edges of their clock. What is asked for must be told before an event that comes
// after it.
class Memory {
 public:
  static constexpr std::size_t kMostPorts = 4;

  virtual ~Memory() = default;

  virtual void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) = 0;
  // Of one port by itself, with no other read: a whole train. The sink is told of the last burst's data alone. false:
  // each burst must be asked for.
  virtual bool read_all(ReadSink&, const Train&) { return false; }
  // The same at once, if no burst of it is granted at `before` or later, where a write may be seen: the edge behind its
  // last beat on the bus. Nobody is told. Never: it is not so, or what the read waits for is asked for.
  virtual Edge read_whole(const Train&, Edge /*before*/) { return kNever; }
  // From the grant of any read to its first beat; never, if that is not always the same.
  virtual Edge read_latency() const { return kNever; }
  // Of one port by itself of which nothing is outstanding: reads that hold the bus so, alone, and again every `period`
  // edges, as often as no refresh meets one of them, `most` at most; so often. Nobody asks what they wait for.
  virtual std::int64_t repeat_reads(const std::vector<Span>& /*reads*/, Edge /*period*/, std::int64_t /*most*/) {
    return 0;
  }
  // Of one port by itself that owes no response: whole writes one after another, the first decision at `first`, have
  // the bus to themselves as far as their last decisions come up to this edge, if no read arrives before
  // `read_arrives`. kLongAgo: each burst must be asked for.
  virtual Edge quiet_until(Edge /*first*/, Edge /*read_arrives*/) { return kLongAgo; }
  // Such writes are made; the last of them. The source is told of nothing.
  virtual void write_all(const WholeWrite& /*last*/) {}
  // Of one port by itself that owes no response: where a write that is seen from `seen` on meets the train that is
  // read. false: it comes before that, or nobody knows.
  virtual bool meets(Edge /*seen*/, Meeting&) { return false; }
  // That write's last burst was granted: so many beats of the read were since they met. None: the read or the time to
  // the next refresh is over.
  virtual std::optional<std::int64_t> met(const Meeting&) const { return std::nullopt; }
  // That write, and so many beats of the read until its last burst, at once. false: there are not as many and one more,
  // or a refresh is due.
  virtual bool meet(const Meeting&, std::int64_t /*beats*/, const WholeWrite&) { return false; }
  // May take the burst at once.
  virtual void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) = 0;
  // Further beats of the port's oldest burst that is not written whole were popped, one per edge from `popped` on. May
  // respond at once.
  virtual void written(int port, int beats, Edge popped) = 0;
  // Makes the next decisions, until somebody may go on, and tells those whom they concern; false: nothing is left to
  // decide.
  virtual bool next() = 0;
  // So many times at most, and until `stirred`, which those who are told set; how often: less than once, nothing is
  // left to decide.
  virtual int decide(const bool& stirred, int most) {
    int made = 0;
    while (made < most && next()) {
      ++made;
      if (stirred) break;
    }
    return made;
  }

  // Of one port by itself. Whether the decision on the last read burst can repeat itself. If so: what decides further
  // ones as long as nothing else is on the bus, seen from edge origin(), appended to `state`; how many more come before
  // anything else can, if one is taken every `period` edges; and so many of them taken.
  virtual bool repeats() const = 0;
  virtual Edge origin() const = 0;
  virtual void describe(std::vector<Edge>& state) const = 0;
  virtual std::int64_t repeatable(Edge period) const = 0;
  virtual void skip(std::int64_t bursts, Edge period) = 0;

  // What the port's oldest outstanding read waited for, as of the decisions so far.
  const ReadWaits& read_waits(int port) const { return waits_[static_cast<std::size_t>(port)]; }
  // Which of them somebody asks for: all, unless it is said before the first read.
  void keep_read_waits(ReadWaits::Kept kept) {
    for (ReadWaits& waits : waits_) waits.keep(kept);
  }

 protected:
  ReadWaits& waits(int port) { return waits_[static_cast<std::size_t>(port)]; }

 private:
  std::array<ReadWaits, kMostPorts> waits_;
};

// The memory that `config` asks for, behind ports of so many bytes a beat on a clock of their own.
std::unique_ptr<Memory> make_memory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz,
                                    int ports);

}  // namespace fansim::timing
