// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <deque>
#include <vector>

#include "axi/types.h"
#include "base/random.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::test {

// A foreign memory for the DMA's tests: a fixed latency from request to first beat and from last beat to response,
// random stalls, and a record of every burst. It checks what AXI demands of a manager.
class MemoryStub final : public sim::Module {
 public:
  sim::StreamIn<axi::ReadBurst> ar{"ar"};
  sim::StreamOut<axi::ReadBeat> r{"r"};
  sim::StreamIn<axi::WriteBurst> aw{"aw"};
  sim::StreamIn<axi::WriteBeat> w{"w"};
  sim::StreamOut<axi::WriteResponse> b{"b"};

  struct Burst {
    std::uint32_t address;
    int beats;
    sim::Edge edge;  // popped
  };

  MemoryStub(const sc_core::sc_module_name& name, int beat_bytes, std::size_t size, int latency, int stall_percent,
             std::uint64_t seed)
      : Module(name), memory(size), beat_bytes_(beat_bytes), latency_(latency), stall_(stall_percent), random_(seed) {
    for (auto& byte : memory) byte = static_cast<std::uint8_t>(random_.uniform(0, 255));
  }

  std::vector<std::uint8_t> memory;
  std::vector<Burst> reads;
  std::vector<Burst> writes;
  std::size_t most_in_flight = 0;

 private:
  void step() override {
    if (!pending_reads_.empty() && now() >= pending_reads_.front().edge + latency_ && r.can_push() && go()) {
      Burst& burst = pending_reads_.front();
      axi::ReadBeat& beat = r.push();
      std::memcpy(beat.data.data(), &memory[burst.address], static_cast<std::size_t>(beat_bytes_));
      burst.address += static_cast<std::uint32_t>(beat_bytes_);
      beat.last = --burst.beats == 0;
      if (beat.last) pending_reads_.pop_front();
    }
    if (!responses_.empty() && now() >= responses_.front() && b.can_push() && go()) {
      b.push();
      responses_.pop_front();
    }
    if (!pending_writes_.empty() && w.can_pop() && go()) {
      Burst& burst = pending_writes_.front();
      const axi::WriteBeat& beat = w.pop();
      for (int i = 0; i < beat_bytes_; ++i)
        if (beat.strobe >> i & 1)
          memory[burst.address + static_cast<std::size_t>(i)] = beat.data[static_cast<std::size_t>(i)];
      burst.address += static_cast<std::uint32_t>(beat_bytes_);
      if (beat.last != (--burst.beats == 0)) violation("WLAST");
      if (beat.last) {
        pending_writes_.pop_front();
        responses_.push_back(now() + latency_);
      }
    }
    if (ar.can_pop() && go()) {
      const axi::ReadBurst& burst = ar.pop();
      accept(static_cast<std::uint32_t>(burst.address), burst.beats, reads, pending_reads_);
    }
    if (aw.can_pop() && go()) {
      const axi::WriteBurst& burst = aw.pop();
      accept(static_cast<std::uint32_t>(burst.address), burst.beats, writes, pending_writes_);
    }
  }

  void accept(std::uint32_t address, int beats, std::vector<Burst>& record, std::deque<Burst>& pending) {
    const auto bytes = static_cast<std::uint32_t>(beats * beat_bytes_);
    if (beats < 1 || address % static_cast<std::uint32_t>(beat_bytes_) != 0 ||
        address / 4096 != (address + bytes - 1) / 4096)
      violation("illegal burst");
    record.push_back({address, beats, now()});
    pending.push_back({address, beats, now()});
    most_in_flight = std::max(most_in_flight, pending_reads_.size());
  }
  bool go() { return !random_.chance(stall_); }

  const int beat_bytes_;
  const int latency_;
  const int stall_;
  base::Random random_;
  std::deque<Burst> pending_reads_;
  std::deque<Burst> pending_writes_;
  std::deque<sim::Edge> responses_;
};

}  // namespace fansim::test
