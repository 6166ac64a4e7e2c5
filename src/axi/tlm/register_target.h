// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/ring.h"
#include "axi/tlm/requests.h"
#include "axi/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// Registers behind a TLM-2.0 target socket, for a host outside this program. Each access of four bytes becomes one
// request of the AXI4-Lite port, and its response finishes it. It returns TLM_BURST_ERROR for other lengths,
// TLM_ADDRESS_ERROR for a misaligned address, TLM_BYTE_ENABLE_ERROR for byte enables, and TLM_COMMAND_ERROR for a
// request that neither reads nor writes. Registers have side effects, so debug transport moves no byte.
// Throughput: one access per cycle.
// Latency:    taken at the first edge after the call; finished at the edge of the response's pop.
// Stall:      waits while `request` is full.
class RegisterTarget final : public sim::Module {
 public:
  TlmRequests requests{"socket"};
  sim::StreamOut<LiteRequest> request{"request"};
  sim::StreamIn<LiteResponse> response{"response"};

  explicit RegisterTarget(const sc_core::sc_module_name& name) : Module(name) {}

  bool timed() const override { return true; }
  std::string waiting_for() const override { return open_.empty() ? "" : "a register's response"; }

 private:
  void step() override;
  static tlm::tlm_response_status fault(const tlm::tlm_generic_payload& payload);

  static constexpr int kOpen = 16;
  Ring<tlm::tlm_generic_payload*> open_{kOpen};
};

}  // namespace fansim::axi
