// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "axi/ring.h"
#include "axi/types.h"
#include "contract/ram.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// An AXI port to bytes that several such ports may share. It serves the bursts of each direction in order. If it cannot
// serve a burst, it answers every beat with DECERR or with the error that its configuration asks for.
// Throughput: one beat per cycle and direction.
// Latency:    burst popped at t: first beat pushed at t + read_latency, one per cycle, the bursts behind it without a
//             gap. Last write beat popped at t: response pushed at t + write_latency.
// Stall:      at most kOutstanding bursts per direction are taken; beats wait while `r` or `b` is full.
class Ram final : public sim::Module {
 public:
  static constexpr int kOutstanding = 16;

  sim::StreamIn<ReadBurst> ar{"ar"};
  sim::StreamOut<ReadBeat> r{"r"};
  sim::StreamIn<WriteBurst> aw{"aw"};
  sim::StreamIn<WriteBeat> w{"w"};
  sim::StreamOut<WriteResponse> b{"b"};

  Ram(const sc_core::sc_module_name& name, const contract::RamConfig& config, int beat_bytes,
      std::vector<std::uint8_t>& bytes);

  std::string waiting_for() const override;

 private:
  struct Burst {
    std::uint64_t address;
    int beats;
    std::uint8_t id;
    Resp resp;
    bool stuck;
    sim::Edge ready;  // edge of its first read beat, or of its response
  };

  void step() override;
  void send_read();
  void take_write();
  void respond();
  void accept();
  Burst burst(std::uint64_t address, int beats, std::uint8_t id) const;
  bool touches(int page, std::uint64_t address) const;

  const contract::RamConfig config_;
  const int beat_bytes_;
  std::vector<std::uint8_t>& bytes_;
  Ring<Burst> reads_{kOutstanding};
  Ring<Burst> writes_{kOutstanding};
  Ring<Burst> answers_{kOutstanding};
  int sent_ = 0;   // beats sent of the oldest read
  int taken_ = 0;  // beats taken of the oldest write

  sim::Counter read_beats_{*this, "read_beats", "beats", "read beats sent"};
  sim::Counter write_beats_{*this, "write_beats", "beats", "write beats taken"};
};

}  // namespace fansim::axi
