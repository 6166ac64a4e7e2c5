// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arch/tiled_config.h"
#include "rules/read_wait.h"
#include "timing/edge.h"

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
  // The oldest burst without data is taken from `from` on.
  virtual void take(Edge from) = 0;
  // The response to the oldest burst without one may leave the memory from `from` on.
  virtual void respond(Edge from) = 0;
};

// A span of edges of the port's clock in which the oldest outstanding read of a port waits for something.
struct PortWait {
  Span span;
  rules::ReadWait why;
};

// The DDR behind one or two ports, in edges of their clock. What is asked for must be told before an event that comes
// after it.
class MemoryPorts {
 public:
  virtual ~MemoryPorts() = default;

  virtual void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) = 0;
  virtual void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) = 0;
  // A beat at `address` of the port's oldest burst that is not written whole was popped.
  virtual void written(int port, std::uint32_t address, bool last, Edge popped) = 0;
  // Makes the next decision and tells those whom it concerns; false: nothing is left to decide.
  virtual bool next() = 0;

  // Up to the last decision, in order.
  const std::vector<PortWait>& waits(int port) const { return waits_[port]; }

 protected:
  void wait(int port, Edge from, Edge to, rules::ReadWait why);

 private:
  std::vector<PortWait> waits_[2];
};

std::unique_ptr<MemoryPorts> make_memory_ports(const arch::TiledConfig& config);

}  // namespace fansim::timing
