// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "axi/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::benches {

// Sends packets, whose lengths in bytes it takes from the front of `packets`. Byte i of the whole stream is i mod 251.
// Throughput: one beat per cycle.
// Latency:    a packet's first beat at the edge that finds it.
// Stall:      while `out` is full.
class PacketSource final : public sim::Module {
 public:
  sim::StreamOut<axi::StreamBeat> out{"out"};

  PacketSource(const sc_core::sc_module_name& name, int beat_bytes, std::deque<std::uint32_t>& packets)
      : Module(name), beat_bytes_(static_cast<std::uint32_t>(beat_bytes)), packets_(packets) {}

  static std::uint8_t pattern(std::int64_t i) { return static_cast<std::uint8_t>(i % 251); }

 private:
  void step() override {
    if (packets_.empty() || !out.can_push()) return;
    std::uint32_t& left = packets_.front();
    axi::StreamBeat& beat = out.push();
    beat.bytes = static_cast<int>(std::min(left, beat_bytes_));
    for (int i = 0; i < beat.bytes; ++i) beat.data[static_cast<std::size_t>(i)] = pattern(bytes_.value() + i);
    left -= static_cast<std::uint32_t>(beat.bytes);
    beat.last = left == 0;
    ++beats_;
    bytes_ += beat.bytes;
    if (beat.last) packets_.pop_front();
  }

  const std::uint32_t beat_bytes_;
  std::deque<std::uint32_t>& packets_;
  sim::Counter beats_{*this, "beats", "beats", "beats sent"};
  sim::Counter bytes_{*this, "bytes", "bytes", "bytes sent"};
};

// Takes a beat whenever there is one.
// Throughput: one beat per cycle.
// Latency:    none.
// Stall:      none.
class PacketSink final : public sim::Module {
 public:
  sim::StreamIn<axi::StreamBeat> in{"in"};

  using Module::Module;

 private:
  void step() override {
    if (in.empty()) {
      sleep();
      return;
    }
    if (!in.can_pop()) return;
    const axi::StreamBeat& beat = in.pop();
    ++beats_;
    bytes_ += beat.bytes;
    packets_ += beat.last;
  }

  sim::Counter beats_{*this, "beats", "beats", "beats taken"};
  sim::Counter bytes_{*this, "bytes", "bytes", "bytes taken"};
  sim::Counter packets_{*this, "packets", "packets", "packets taken"};
};

}  // namespace fansim::benches
