// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/ring.h"
#include "memory/ddr.h"
#include "rules/fixed_ddr.h"

namespace fansim::memory {

// DDR with constants for its timing (fidelity `ideal` and `fixed`); rules/fixed_ddr.h decides.
// Throughput: one beat per cycle and direction; bursts are atomic, a burst holds the bus one cycle per beat.
// Latency:    a request popped at edge t is granted at t + 1 at the earliest. A read burst granted to start at g pushes
//             beat k at g + read_latency + k; a write burst pops beat k at g + k and pushes its response write_latency
//             after its last beat.
// Stall:      beats and responses wait while `r` or `b` is full; a write beat that comes late holds the bus. Neither
//             happens with a manager that reserves its space and buffers its bursts.
class FixedDdr final : public Ddr {
 public:
  FixedDdr(const sc_core::sc_module_name& name, const contract::DdrConfig& config, const contract::AxiConfig& axi,
           std::shared_ptr<Bytes> memory);

  void quiesce() override;

 private:
  struct Read {
    std::uint32_t address;
    int beats;
    std::uint8_t id;
    sim::Edge arrival;
    sim::Edge data;  // first beat
  };
  struct Write {
    std::uint32_t address;
    int beats;
    std::uint8_t id;
    sim::Edge arrival;
    sim::Edge start;
    sim::Edge response;
  };

  void reset() override;
  void step() override;
  void decide();
  void send_read();
  void respond();
  void take_write();
  void accept();
  void account();

  rules::FixedDdrState state_;
  axi::Ring<Read> reads_;    // the first reads_granted_ have been granted
  axi::Ring<Write> writes_;  // first writes_done_ that await their response, then granted ones, then waiting ones
  std::size_t reads_granted_ = 0;
  std::size_t writes_granted_ = 0;
  std::size_t writes_done_ = 0;
  int beats_sent_ = 0;
  int beats_taken_ = 0;
};

}  // namespace fansim::memory
