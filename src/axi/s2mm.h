// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/axi.h"
#include "arch/dma.h"
#include "axi/byte_fifo.h"
#include "axi/transfer.h"
#include "axi/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// The stream-to-memory half of the AXI DMA: gathers stream beats, realigns them to the destination's byte address with
// strobes, writes bursts. The packet must be exactly as long as the command says.
// Throughput: one beat per cycle on `s_axis` and on `w`, one burst per cycle on `aw`.
// Latency:    command popped at c: first stream beat popped at c - 1 + s2mm_start (the command was written at c - 1). A
//             burst whose last byte was accepted at t is pushed on `aw` at t + 1, together with its first `w` beat if
//             the bursts before it have left. `done` is pushed when the last response is popped.
// Stall:      `s_axis` waits while the FIFO of two bursts lacks room for a beat. A burst is issued only when buffered
//             whole, with at most `outstanding` unanswered, so `w` is never late. Room and slots freed at t are used
//             again from t + 1 on.
class S2mm final : public sim::Module {
 public:
  sim::StreamIn<TransferCommand> command{"command"};
  sim::StreamIn<StreamBeat> s_axis{"s_axis"};
  sim::StreamOut<WriteBurst> aw{"aw"};
  sim::StreamOut<WriteBeat> w{"w"};
  sim::StreamIn<WriteResponse> b{"b"};
  sim::StreamOut<TransferDone> done{"done"};

  S2mm(const sc_core::sc_module_name& name, const arch::DmaConfig& dma, const arch::AxiConfig& axi);

  std::int64_t bytes() const { return bytes_.value(); }
  std::string waiting_for() const override;

 private:
  void step() override;
  void start(const TransferCommand& transfer);
  void issue();
  void accept();
  void send();
  void answer();

  const arch::DmaConfig dma_;
  const arch::AxiConfig axi_;
  const int beat_bytes_;
  const std::int64_t fifo_bytes_;
  ByteFifo fifo_;

  // The transfer. Positions are bytes from the start of the beat that holds the first byte.
  bool active_ = false;
  sim::Edge accept_from_ = 0;
  std::uint32_t base_ = 0;     // address of position 0
  std::int64_t begin_ = 0;     // of the first byte
  std::int64_t end_ = 0;       // after the last byte
  std::int64_t beats_ = 0;     // to write in all
  std::int64_t accepted_ = 0;  // position
  std::int64_t issued_ = 0;    // beats of all bursts on `aw`
  std::int64_t sent_ = 0;      // beats pushed on `w`
  int next_beats_ = 0;         // of the next burst
  int burst_left_ = 0;         // beats of the burst on `w` still to push
  int unanswered_ = 0;         // bursts

  sim::Counter transfers_{*this, "transfers", "transfers", "transfers completed"};
  sim::Counter bursts_{*this, "bursts", "bursts", "write bursts issued"};
  sim::Counter bytes_{*this, "bytes", "bytes", "useful bytes written"};
  sim::Counter stream_beats_{*this, "beats", "beats", "stream beats accepted"};
  sim::Counter stalls_{*this, "stalls", "cycles", "stream beat offered while the FIFO is full"};
  sim::Counter waits_{*this, "waits", "cycles", "transfer active but no stream beat accepted for another reason"};
};

}  // namespace fansim::axi
