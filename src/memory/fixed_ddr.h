// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "axi/ring.h"
#include "contract/memory_image.h"
#include "memory/ddr.h"
#include "rules/fixed_ddr.h"

namespace fansim::memory {

class FixedDdr;

// What the ports of one DDR with constant timing share: its bytes and its lanes. The port of a lane that looks first at
// an edge takes the lane's decision at that edge; no result depends on which one that is.
struct FixedMemory {
  FixedMemory(const contract::DdrConfig& config, const contract::AxiConfig& axi, int ports,
              contract::MemoryImage&& bytes);

  int lane_of(int port) const { return state.lanes.size() > 1 ? port : 0; }
  void decide(int lane, sim::Edge now);

  const contract::DdrConfig config;
  const std::shared_ptr<contract::MemoryImage> bytes;
  rules::FixedDdrState state;
  std::vector<FixedDdr*> ports;
};

// One port of a DDR with constant timing (fidelity `ideal` and `fixed`). rules/fixed_ddr.h decides.
// Throughput: one beat per cycle and direction, or what the pace leaves (rules/pace.h); bursts are atomic, a burst holds
//             its lane one cycle per beat.
// Latency:    a request popped at edge t is granted at t + 1 at the earliest. A read burst granted to start at g pushes
//             beat k at g + read_latency + k; a write burst pops beat k at g + k and pushes its response write_latency
//             after its last beat.
// Stall:      beats and responses wait while `r` or `b` is full; a write beat that comes late holds the lane. Neither
//             happens with a manager that reserves its space and buffers its bursts.
class FixedDdr final : public Ddr {
 public:
  // Makes the next port of the memory.
  FixedDdr(const sc_core::sc_module_name& name, std::shared_ptr<FixedMemory> memory, const contract::AxiConfig& axi);

  void quiesce() override;

  // heads() returns the port's oldest requests that have not been granted. grant() tells it that one of them was.
  rules::Requests heads() const;
  void grant(const rules::Pick& pick);

 private:
  struct Read {
    std::uint32_t address;
    int beats;
    std::uint8_t id;
    sim::Edge arrival;
    sim::Edge others;  // from when on others go before it, once it is granted
    sim::Edge data;    // when its first beat leaves
  };
  struct Write {
    std::uint32_t address;
    int beats;
    std::uint8_t id;
    sim::Edge arrival;
    sim::Edge start;
    sim::Edge response;
  };

  void step() override;
  void send_read();
  void respond();
  void take_write();
  void accept();
  void account();
  void take_counts();

  const std::shared_ptr<FixedMemory> shared_;
  const int index_;
  axi::Ring<Read> reads_;    // the first reads_granted_ of them have been granted
  axi::Ring<Write> writes_;  // first writes_done_ that await their response, then granted ones, then waiting ones
  std::size_t reads_granted_ = 0;
  std::size_t writes_granted_ = 0;
  std::size_t writes_done_ = 0;
  int beats_sent_ = 0;
  int beats_taken_ = 0;
};

}  // namespace fansim::memory
