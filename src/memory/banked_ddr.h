// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/ring.h"
#include "memory/banked_memory.h"
#include "memory/ddr.h"
#include "rules/pace.h"

namespace fansim::memory {

// One port of a DDR with banks, rows and a reordering controller on the memory's own clock (fidelity `banked`).
// rules/banked_ddr.h decides; rules/clock_ratio.h converts edges exactly.
// Throughput: one beat per cycle and direction; bursts are cut into column accesses of the memory.
// Latency:    a read burst popped at edge t has its accesses at the controller at the first memory edge after
//             t + request_latency; a beat is pushed response_latency after the first edge that follows its access's
//             data. A write access is there request_latency after its last beat; the response follows the burst's last
//             access, once the controller holds it, after write_latency - request_latency.
// Stall:      beats and responses wait while `r` or `b` is full.
class BankedDdr final : public Ddr {
 public:
  // Makes port `index` of the memory.
  BankedDdr(const sc_core::sc_module_name& name, std::shared_ptr<BankedMemory> memory, const contract::AxiConfig& axi,
            int index = 0);

  void quiesce() override;

 private:
  static constexpr sim::Edge kUnknown = rules::DdrPick::kNever;

  struct Access {
    std::uint32_t address;
    sim::Edge arrival = kUnknown;                  // memory edge at which it is in the controller
    sim::Edge row_ready = kUnknown;                // memory edge, known once it is picked
    sim::Edge column = kUnknown;                   // memory edge, known once it is picked
    sim::Edge ready = kUnknown;                    // port edge at which its beats may leave
    rules::ReadWait wait = rules::ReadWait::none;  // the reason to wait in [row_ready, column)
  };
  struct Read {
    std::uint32_t address;
    int beats;
    std::uint8_t id;
  };
  struct Write {
    std::uint32_t address;
    int beats;
    std::uint8_t id;
    int accesses;         // accesses for which the response waits
    sim::Edge start = 0;  // when its first beat may be taken
    sim::Edge response = kUnknown;
  };

  void reset() override;
  void step() override;
  void handle(const rules::DdrEvent& event);
  void take_counts();
  void send_read();
  void respond();
  void take_write();
  void accept();
  void account();
  rules::ReadWait wait_of(const Access& access) const;

  std::uint32_t access_of(std::uint32_t address) const { return address / access_bytes_; }

  const std::shared_ptr<BankedMemory> shared_;
  const int index_;
  const int longest_;  // beats of the longest read burst, for which there is room
  const std::uint32_t access_bytes_;
  const rules::Pace pace_;
  axi::Ring<Access> accesses_;  // accesses of reads, in order
  axi::Ring<Read> reads_;
  axi::Ring<Write> writes_;
  int accesses_popped_ = 0;
  int writes_popped_ = 0;
  std::size_t writes_taken_ = 0;  // how many of writes_ have all their beats
  rules::PacedPort paced_reads_, paced_writes_;
  int beats_sent_ = 0;
  int beats_taken_ = 0;

  sim::Counter row_hits_{*this, "row_hits", "accesses", "column accesses to an open row"};
  sim::Counter row_misses_{*this, "row_misses", "accesses", "column accesses that opened a row of a closed bank"};
  sim::Counter row_conflicts_{*this, "row_conflicts", "accesses", "column accesses that closed another row first"};
};

}  // namespace fansim::memory
