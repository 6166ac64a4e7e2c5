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

// A reader at a port of the memory.
class ReadSink {
 public:
  virtual ~ReadSink() = default;
  // The next `beats` beats of the oldest burst may leave the memory from `from` on, one per edge. Returns the edge of
  // the last one.
  virtual Edge data(int beats, Edge from) = 0;
};

// A writer at a port of the memory.
class WriteSource {
 public:
  virtual ~WriteSource() = default;
  // The memory takes the oldest burst that it has not taken from `from` on.
  virtual void take(Edge from) = 0;
  // The response to the oldest burst without one may leave the memory from `from` on.
  virtual void respond(Edge from) = 0;
};

// The DDR behind its ports, in edges of their clock. A request must be made before any event that comes after it.
class Memory {
 public:
  static constexpr std::size_t kMostPorts = 4;

  virtual ~Memory() = default;

  // A burst of `beats` beats that the memory accepts at `accepted`.
  virtual void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) = 0;
  // The source may be told at once that the burst is taken.
  virtual void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) = 0;
  // Further beats of the port's oldest burst that is not yet written whole were popped, one per edge from `popped` on.
  // The source may be told of the response at once.
  virtual void written(int port, int beats, Edge popped) = 0;
  // Makes the next decisions until a sink or a source has been told something; false: nothing is left to decide.
  virtual bool next() = 0;
  // Calls next() at most `most` times, and until `stirred`, which those who are told may set. Returns how often; less
  // than once: nothing is left to decide.
  virtual int decide(const bool& stirred, int most) {
    int made = 0;
    while (made < most && next()) {
      ++made;
      if (stirred) break;
    }
    return made;
  }

  // What the port's oldest outstanding read waited for, as far as the decisions made so far tell.
  const ReadWaits& read_waits(int port) const { return waits_[static_cast<std::size_t>(port)]; }
  // Which of these waits are recorded: all, unless this is called before the first read.
  void keep_read_waits(ReadWaits::Kept kept) {
    for (ReadWaits& waits : waits_) waits.keep(kept);
  }

 protected:
  ReadWaits& waits(int port) { return waits_[static_cast<std::size_t>(port)]; }

 private:
  std::array<ReadWaits, kMostPorts> waits_;
};

// The memory that `config` describes, behind `ports` ports of `beat_bytes` bytes a beat on a clock of their own. It
// makes every decision by itself; timing/trains has memories that take many at once.
std::unique_ptr<Memory> make_memory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz,
                                    int ports);

}  // namespace fansim::timing
