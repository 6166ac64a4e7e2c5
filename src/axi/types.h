// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "contract/axi.h"
#include "contract/dma_map.h"

namespace fansim::axi {

using BeatBytes = std::array<std::uint8_t, contract::AxiConfig::kMaxBeatBytes>;

// Returns one bit for each of a beat's first `bytes` bytes: TKEEP, or a WSTRB that writes them all.
constexpr std::uint64_t byte_mask(int bytes) {
  return bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
}

// RRESP and BRESP (AMBA AXI protocol specification, A3.4.4).
enum class Resp : std::uint8_t { okay, exokay, slverr, decerr };

// Returns the response of a burst whose parts had these two, so that no error is lost.
constexpr Resp worst(Resp a, Resp b) { return a < b ? b : a; }

// Returns the error bit of a DMA channel's DMASR that a response sets (PG021), or 0 for a good one.
constexpr std::uint32_t dma_error(Resp resp) {
  return resp == Resp::decerr   ? contract::dma_map::kSrDmaDecErr
         : resp == Resp::slverr ? contract::dma_map::kSrDmaSlvErr
                                : 0;
}

// AXI4 read address channel: an INCR burst of whole beats of the bus. `address` is aligned to the beat.
struct ReadBurst {
  std::uint64_t address = 0;
  int beats = 0;
  std::uint8_t id = 0;
  template <class F>
  void wires(F&& f) const {
    f("araddr", address, 64);
    f("arlen", static_cast<std::uint64_t>(beats - 1), 8);
    f("arid", id, 8);
  }
};

struct ReadBeat {
  BeatBytes data{};
  bool last = false;
  Resp resp = Resp::okay;
  std::uint8_t id = 0;
  template <class F>
  void wires(F&& f) const {
    f("rlast", last, 1);
    f("rresp", static_cast<std::uint64_t>(resp), 2);
    f("rid", id, 8);
  }
};

struct WriteBurst {
  std::uint64_t address = 0;
  int beats = 0;
  std::uint8_t id = 0;
  template <class F>
  void wires(F&& f) const {
    f("awaddr", address, 64);
    f("awlen", static_cast<std::uint64_t>(beats - 1), 8);
    f("awid", id, 8);
  }
};

struct WriteBeat {
  BeatBytes data{};
  std::uint64_t strobe = 0;  // bit i: byte i is written
  bool last = false;
  template <class F>
  void wires(F&& f) const {
    f("wstrb", strobe, 64);
    f("wlast", last, 1);
  }
};

struct WriteResponse {
  Resp resp = Resp::okay;
  std::uint8_t id = 0;
  template <class F>
  void wires(F&& f) const {
    f("bresp", static_cast<std::uint64_t>(resp), 2);
    f("bid", id, 8);
  }
};

// AXI4-Stream beat: the first `bytes` bytes count (TKEEP is contiguous from byte 0), and `last` is TLAST.
struct StreamBeat {
  BeatBytes data{};
  int bytes = 0;
  bool last = false;
  template <class F>
  void wires(F&& f) const {
    f("tkeep", byte_mask(bytes), 64);
    f("tlast", last, 1);
  }
};

// AXI4-Lite with address and data together: one request has one response (B, or R with its data).
struct LiteRequest {
  bool write = false;
  std::uint32_t address = 0;
  std::uint32_t value = 0;
  template <class F>
  void wires(F&& f) const {
    f("write", write, 1);
    f("addr", address, 32);
    f("data", value, 32);
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
