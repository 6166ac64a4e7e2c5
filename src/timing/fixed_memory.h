// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "rules/fixed_ddr.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::timing {

// DDR with constants for its timing, as memory::FixedDdr and FixedMemory have it: a decision for each burst.
class FixedMemory : public Memory {
 public:
  FixedMemory(const contract::DdrConfig& config, int beat_bytes, int ports);

  void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) override;
  void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) override;
  void written(int port, int beats, Edge popped) override;
  bool next() override;
  int decide(const bool& stirred, int most) override;

 protected:
  static constexpr rules::Request kNone{};

  struct Read {
    rules::Request request;
    ReadSink* sink;
  };
  struct Write {
    rules::Request request;
    WriteSource* source;
  };
  struct Port {
    const rules::Request& oldest_read() const { return reads.empty() ? kNone : reads.front().request; }
    const rules::Request& oldest_write() const { return writes.empty() ? kNone : writes.front().request; }

    Queue<Read> reads;               // not granted
    Queue<Write> writes;             // not granted
    WriteSource* writing = nullptr;  // its burst is being taken
    int to_write = 0;                // beats of that burst
    Edge waited = kLongAgo;          // the waits of the oldest read are recorded up to here, or to the last beat sent
  };

  struct Decision {
    int lane;
    Edge edge;  // never: there is no request
  };
  int lane_of(int port) const { return lanes_ > 1 ? port : 0; }
  // The next decision of a lane whose oldest requests these are.
  Decision decision(int lane, const rules::Request& read, const rules::Request& write) const;
  // Before a decision: the port must lack no beats, and what `read`, its oldest, waits for until then is recorded.
  void look_at(int number, const rules::Request& read, const Decision& next) {
    const Port& port = ports_[static_cast<std::size_t>(number)];
    if (port.writing && (lane_of(number) == next.lane || next.edge >= state_.refresh_due))
      refuse_decision(number, next);
    if (waits(number).kept() && port.waited < next.edge) record_waits(number, read, next.edge);
  }
  [[noreturn]] void refuse_decision(int number, const Decision& next) const;
  void record_waits(int port, const rules::Request& read, Edge until);
  void grant_write(int port, int beats, Edge start);

  const contract::DdrConfig config_;
  const int count_;  // of ports
  const int lanes_;
  rules::FixedDdrState state_;
  std::array<Port, kMostPorts> ports_;

 private:
  enum class Made : std::uint8_t { nothing, refresh, grant };

  rules::Requests heads(int lane) const;
  Made make(const Decision& next, const rules::Request& read, const rules::Request& write);
  Made decide_first();
  void grant_read(int port, int beats, const rules::Pick& pick);
};

}  // namespace fansim::timing
