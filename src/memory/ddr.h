// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <vector>

#include "arch/axi.h"
#include "arch/ddr.h"
#include "axi/ring.h"
#include "axi/types.h"
#include "rules/fixed_ddr.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::memory {

// DDR memory with its controller behind one AXI port; rules/fixed_ddr.h decides.
// Throughput: one beat per cycle and direction; bursts are atomic, a burst holds the bus one cycle per beat.
// Latency:    a request popped at edge t is granted at t + 1 at the earliest. A read burst granted to start at g pushes
//             beat k at g + read_latency + k; a write burst pops beat k at g + k and pushes its response write_latency
//             after its last beat.
// Stall:      beats and responses wait while `r` or `b` is full; a write beat that comes late holds the bus. Neither
//             happens with a manager that reserves its space and buffers its bursts.
// Reads see what was written up to the edge their beat leaves.
class Ddr final : public sim::Module {
 public:
  sim::StreamIn<axi::ReadBurst> ar{"ar"};
  sim::StreamOut<axi::ReadBeat> r{"r"};
  sim::StreamIn<axi::WriteBurst> aw{"aw"};
  sim::StreamIn<axi::WriteBeat> w{"w"};
  sim::StreamOut<axi::WriteResponse> b{"b"};
  // Loading and foreign IP: untimed accesses beside the clocked side, which they never delay.
  tlm_utils::simple_target_socket_optional<Ddr> socket{"socket"};

  Ddr(const sc_core::sc_module_name& name, const arch::DdrConfig& config, const arch::AxiConfig& axi,
      std::vector<std::uint8_t>&& memory);

  const std::uint8_t* data() const { return memory_.data(); }
  std::size_t size() const { return memory_.size(); }

  // As of the previous edge, for the accounting: a read burst is accepted and not all of its beats have left; and what
  // the oldest one waits for (its latency and its data are no wait).
  bool read_outstanding() const { return read_outstanding_.get(); }
  rules::ReadWait read_wait() const { return read_wait_.get(); }

  // At a layer boundary, with nothing in flight: the layer's cycles do not depend on what ran before.
  void quiesce();

 private:
  struct Read {
    std::uint32_t address;
    int beats;
    sim::Edge arrival;
    sim::Edge data;  // first beat
    std::uint8_t id;
  };
  struct Write {
    std::uint32_t address;
    int beats;
    sim::Edge arrival;
    sim::Edge start;
    sim::Edge response;
    std::uint8_t id;
  };

  void reset() override;
  void step() override;
  void decide();
  void send_read();
  void respond();
  void take_write();
  void accept();
  void account();
  void check(std::uint64_t address, int beats) const;
  void store(std::uint32_t address, const axi::WriteBeat& beat);

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool access(tlm::tlm_generic_payload& payload);

  const arch::DdrConfig config_;
  const int beat_bytes_;
  std::vector<std::uint8_t> memory_;
  rules::FixedDdrState state_;
  axi::Ring<Read> reads_;    // the first reads_granted_ have been granted
  axi::Ring<Write> writes_;  // first writes_done_ that await their response, then granted ones, then waiting ones
  std::size_t reads_granted_ = 0;
  std::size_t writes_granted_ = 0;
  std::size_t writes_done_ = 0;
  int beats_sent_ = 0;
  int beats_taken_ = 0;

  sim::Reg<bool> read_outstanding_{*this, "read_outstanding"};
  sim::Reg<rules::ReadWait> read_wait_{*this, "read_wait"};
  sim::Counter read_bursts_{*this, "read_bursts", "bursts", "read bursts granted"};
  sim::Counter read_beats_{*this, "read_beats", "beats", "read beats sent"};
  sim::Counter read_stalls_{*this, "read_stalls", "cycles", "read beats ready but not taken by the manager"};
  sim::Counter write_bursts_{*this, "write_bursts", "bursts", "write bursts granted"};
  sim::Counter write_beats_{*this, "write_beats", "beats", "write beats taken"};
  sim::Counter write_stalls_{*this, "write_stalls", "cycles", "bus held by a write burst whose beat was late"};
  sim::Counter refreshes_{*this, "refreshes", "refreshes", "refreshes begun"};
  sim::Counter turnarounds_{*this, "turnarounds", "changes", "changes of direction on the bus"};
};

}  // namespace fansim::memory
