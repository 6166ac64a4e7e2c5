// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "axi/ring.h"
#include "axi/types.h"
#include "contract/interconnect.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// Connects managers to subordinates by address. rules::arbitrate decides which manager goes first, per subordinate and
// direction.
// * A burst that no address range holds completely is answered with DECERR on every beat.
// * Per direction, a manager has bursts in flight with one subordinate at a time; a burst for another one waits. So
//   data and responses keep each manager's order, and no deadlock can form.
// * Towards a subordinate the manager's number is added above its ID (AMBA AXI protocol specification, A5.4), and the
//   subordinate returns it. Write data follow the order in which the bursts were granted.
// Throughput: one burst per cycle, direction and subordinate; one beat per cycle and port.
// Latency:    none: what is popped at t is pushed on at t.
// Stall:      per port, while the other side is full, or by the rules above.
class Interconnect final : public sim::Module {
 public:
  struct ManagerPort {
    explicit ManagerPort(const std::string& name);
    sim::StreamIn<ReadBurst> ar;
    sim::StreamOut<ReadBeat> r;
    sim::StreamIn<WriteBurst> aw;
    sim::StreamIn<WriteBeat> w;
    sim::StreamOut<WriteResponse> b;
  };
  struct SubordinatePort {
    explicit SubordinatePort(const std::string& name);
    sim::StreamOut<ReadBurst> ar;
    sim::StreamIn<ReadBeat> r;
    sim::StreamOut<WriteBurst> aw;
    sim::StreamOut<WriteBeat> w;
    sim::StreamIn<WriteResponse> b;
  };

  Interconnect(const sc_core::sc_module_name& name, const contract::InterconnectConfig& config);

  ManagerPort& manager(int i) { return *managers_[static_cast<std::size_t>(i)]; }
  SubordinatePort& subordinate(int i) { return *subordinates_[static_cast<std::size_t>(i)]; }

 private:
  // A manager's bursts of one direction. All are with one subordinate, or with none.
  struct Traffic {
    int target = 0;
    int in_flight = 0;
  };
  struct Manager {
    Traffic reads;
    Traffic writes;
    ReadBurst lost_read;    // a read that no subordinate holds; its remaining beats are still to be answered
    WriteBurst lost_write;  // a write that no subordinate holds; its data are discarded while beats > 0
    bool lost_answer = false;
  };
  struct Subordinate {
    int last_read = -1;  // the manager that was granted last
    int last_write = -1;
    Ring<int> data_order;  // managers whose write data are to come
  };

  void step() override;
  bool idle() const;
  void return_reads(SubordinatePort& port);
  void return_responses(SubordinatePort& port);
  void pass_data(SubordinatePort& port, Subordinate& state);
  void grant_read(int target);
  void grant_write(int target);
  void answer_lost(ManagerPort& port, Manager& state);
  bool lose_read(ManagerPort& port, Manager& state);
  bool lose_write(ManagerPort& port, Manager& state);
  int nowhere() const { return static_cast<int>(config_.subordinates.size()); }
  template <class Burst>
  bool wants(const sim::StreamIn<Burst>& channel, const Traffic& traffic, int target) const;
  template <class Burst>
  int decode(const Burst& burst) const;
  std::uint8_t outer_id(int manager, std::uint8_t id) const;

  const contract::InterconnectConfig config_;
  const int beat_bytes_;
  std::vector<std::unique_ptr<ManagerPort>> managers_;
  std::vector<std::unique_ptr<SubordinatePort>> subordinates_;
  std::vector<Manager> manager_state_;
  std::vector<Subordinate> subordinate_state_;

  sim::Counter reads_{*this, "reads", "bursts", "read bursts granted"};
  sim::Counter writes_{*this, "writes", "bursts", "write bursts granted"};
  sim::Counter lost_{*this, "lost", "bursts", "bursts answered with DECERR"};
  sim::Counter contended_{*this, "contended", "cycles", "cycles in which a burst waited for another manager's grant"};
};

}  // namespace fansim::axi
