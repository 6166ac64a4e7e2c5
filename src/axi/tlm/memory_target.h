// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/ring.h"
#include "axi/tlm/requests.h"
#include "axi/types.h"
#include "contract/axi.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// A clocked memory behind a TLM-2.0 target socket. Each request becomes INCR bursts of full beats on an AXI port, which
// are cut as a DMA cuts them (4 KiB, burst_beats). The last of its data or responses finishes the request. It takes any
// address, length and byte enables. It returns TLM_ADDRESS_ERROR outside `size` bytes, TLM_BURST_ERROR if the streaming
// width is below the length, and TLM_COMMAND_ERROR for a request that neither reads nor writes.
// Throughput: one burst per cycle, one beat per cycle and direction; requests of one direction overlap, a change of
//             direction waits for the others, so that a read sees every write before it.
// Latency:    the first burst leaves at the first edge after the call.
// Stall:      waits while its streams are full.
class MemoryTarget final : public sim::Module {
 public:
  TlmRequests requests{"socket"};
  sim::StreamOut<ReadBurst> ar{"ar"};
  sim::StreamIn<ReadBeat> r{"r"};
  sim::StreamOut<WriteBurst> aw{"aw"};
  sim::StreamOut<WriteBeat> w{"w"};
  sim::StreamIn<WriteResponse> b{"b"};

  MemoryTarget(const sc_core::sc_module_name& name, const contract::AxiConfig& axi, std::uint64_t size);

  bool timed() const override { return true; }
  std::string waiting_for() const override { return open_.empty() ? "" : "its memory"; }

 private:
  // A request in progress. Positions are bytes from the start of the beat that holds its first byte.
  struct Access {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint32_t base = 0;
    std::int64_t begin = 0, end = 0;
    std::int64_t beats = 0, issued = 0;  // issued: beats of the bursts that have left
    std::int64_t moved = 0;              // beats of data that were moved
    std::int64_t bursts = 0, answered = 0;
    Resp worst = Resp::okay;
  };

  void step() override;
  void accept();
  tlm::tlm_response_status fault(const tlm::tlm_generic_payload& payload) const;
  void issue(Access& access);
  void send(Access& access);
  void receive();
  void answer();
  void finish();
  bool enabled(const tlm::tlm_generic_payload& payload, std::int64_t byte) const;

  static constexpr int kOpen = 16;

  const contract::AxiConfig axi_;
  const int beat_bytes_;
  const std::uint64_t size_;
  Ring<Access> open_{kOpen};  // all have the same direction
  int burst_left_ = 0;        // beats left of the write burst that is being sent
};

}  // namespace fansim::axi
