// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "rules/fixed_ddr.h"
#include "timing/queue.h"
#include "timing/tiled/memory_ports.h"

namespace fansim::timing {

// Ports with constants for their timing, each with a bus of its own: memory::FixedDdr, a decision per burst.
class FixedPorts final : public MemoryPorts {
 public:
  explicit FixedPorts(const arch::DdrConfig& config);

  void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) override;
  void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) override;
  void written(int port, std::uint32_t address, bool last, Edge popped) override;
  bool next() override;

 private:
  struct Read {
    rules::Request request;
    ReadSink* sink;
  };
  struct Write {
    rules::Request request;
    WriteSource* source;
  };
  struct Port {
    rules::FixedDdrState state;
    Queue<Read> reads;               // not granted
    Queue<Write> writes;             // not granted
    WriteSource* writing = nullptr;  // its burst is being taken
    Edge sent = kLongAgo;            // the last beat of the reads granted so far
    Edge waited = kLongAgo;          // what the oldest read waits for is known up to here

    Edge next_edge() const;
  };

  void decide(int number);
  void wait_until(int number, Edge edge);

  const arch::DdrConfig config_;
  std::array<Port, 2> ports_;
};

}  // namespace fansim::timing
