// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "arch/axi.h"

namespace fansim::axi {

using BeatBytes = std::array<std::uint8_t, arch::AxiConfig::kMaxBeatBytes>;

// AXI4 read address channel: an INCR burst; `address` is aligned to the beat.
struct ReadBurst {
  std::uint32_t address = 0;
  int beats = 0;
  template <class F>
  void wires(F&& f) const {
    f("araddr", address, 32), f("arlen", static_cast<std::uint64_t>(beats - 1), 8);
  }
};

struct ReadBeat {
  BeatBytes data{};
  bool last = false;
  template <class F>
  void wires(F&& f) const {
    f("rlast", last, 1);
  }
};

struct WriteBurst {
  std::uint32_t address = 0;
  int beats = 0;
  template <class F>
  void wires(F&& f) const {
    f("awaddr", address, 32), f("awlen", static_cast<std::uint64_t>(beats - 1), 8);
  }
};

struct WriteBeat {
  BeatBytes data{};
  std::uint32_t strobe = 0;  // bit i: byte i is written
  bool last = false;
  template <class F>
  void wires(F&& f) const {
    f("wstrb", strobe, 16), f("wlast", last, 1);
  }
};

struct WriteResponse {};

// AXI4-Stream beat: the first `bytes` bytes count (TKEEP is contiguous from byte 0), `last` is TLAST.
struct StreamBeat {
  BeatBytes data{};
  int bytes = 0;
  bool last = false;
  template <class F>
  void wires(F&& f) const {
    f("tkeep", (1ULL << bytes) - 1, 16), f("tlast", last, 1);
  }
};

// AXI4-Lite, address and data together: one request, one response (B, or R with its data).
struct LiteRequest {
  bool write = false;
  std::uint32_t address = 0;
  std::uint32_t value = 0;
  template <class F>
  void wires(F&& f) const {
    f("write", write, 1), f("addr", address, 32), f("data", value, 32);
  }
};

struct LiteResponse {
  std::uint32_t value = 0;
  template <class F>
  void wires(F&& f) const {
    f("data", value, 32);
  }
};

}  // namespace fansim::axi
