// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/byte_fifo.h"
#include "axi/ring.h"
#include "axi/transfer.h"
#include "axi/types.h"
#include "contract/axi.h"
#include "contract/dma.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::axi {

// The stream-to-memory half of the AXI DMA. It gathers stream beats, realigns them to the destination's byte address
// with strobes, and writes bursts. A packet that is shorter than the command ends it early. The rest of a longer packet
// goes into the next command, or the error is DMAIntErr if the packet should have ended (PG021, S2MM_DMASR: bigger than
// LENGTH).
// An error response or a halt ends the transfer: nothing more is accepted or issued, issued bursts are completed, and
// then `done` reports the error.
// Throughput: one beat per cycle on `s_axis` and on `w`, one burst per cycle on `aw`.
// Latency:    command popped at c: first stream beat popped at c - 1 + s2mm_start (the command was written at c - 1). A
//             burst whose last byte was accepted at t is pushed on `aw` at t + s2mm_store, together with its first `w`
//             beat if the bursts before it have left; with an s2mm_gap not before that many idle cycles after them.
//             `done` is pushed when the last response is popped.
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

  S2mm(const sc_core::sc_module_name& name, const contract::DmaConfig& dma, const contract::AxiConfig& axi);
  ~S2mm() override;

  // From now on `halt` ends transfers.
  void halted_by(const sim::Reg<bool>& halt) { halt_ = &halt; }

  std::int64_t bytes() const { return bytes_.value(); }
  std::string waiting_for() const override;

 private:
  void step() override;
  void start(const TransferCommand& transfer);
  void issue();
  void accept();
  void take(const StreamBeat& beat);
  void end_at(std::int64_t position);
  bool stored(std::int64_t after);
  bool in_gap() const { return dma_.s2mm_gap > 0 && (sent_ < issued_ || now() < idle_from_); }
  void send();
  void answer();
  void finish();
  void give_up();

  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const sim::Reg<bool>* halt_ = nullptr;
  const int beat_bytes_;
  const std::int64_t fifo_bytes_;
  ByteFifo fifo_;
  struct Accepted {
    std::int64_t position;
    sim::Edge edge;  // first edge at which it may be issued
  };
  Ring<Accepted> storing_;  // one per edge of the store latency
  StreamBeat held_;         // the part of a beat that did not fit the command before

  // The state of the transfer. Positions are bytes from the start of the beat that holds the first byte.
  bool active_ = false;
  bool ends_ = true;          // the packet must end with the transfer
  bool packet_ended_ = true;  // the beat before had TLAST
  bool begins_ = true;        // the transfer holds the packet's first byte
  std::uint32_t errors_ = 0;  // bits of DMASR
  sim::Edge accept_from_ = 0;
  std::uint64_t base_ = 0;     // address of position 0
  std::int64_t begin_ = 0;     // position of the first byte
  std::int64_t end_ = 0;       // position after the last byte
  std::int64_t beats_ = 0;     // beats to write in all
  std::int64_t accepted_ = 0;  // position up to which bytes were accepted
  std::int64_t stored_ = 0;    // the same, s2mm_store edges later
  std::int64_t issued_ = 0;    // beats of all bursts on `aw`
  std::int64_t sent_ = 0;      // beats pushed on `w`
  int next_beats_ = 0;         // beats of the next burst
  int burst_left_ = 0;         // beats of the burst on `w` that are still to be pushed
  sim::Edge idle_from_ = 0;    // first edge after the last burst's data and its gap
  int unanswered_ = 0;         // bursts

  sim::Word state_{*this, "state", {"idle", "busy"}, [this] { return std::size_t{active_}; }};
  sim::Counter transfers_{*this, "transfers", "transfers", "transfers completed"};
  sim::Counter bursts_{*this, "bursts", "bursts", "write bursts issued"};
  sim::Counter bytes_{*this, "bytes", "bytes", "useful bytes written"};
  sim::Counter stream_beats_{*this, "beats", "beats", "stream beats accepted"};
  sim::Counter stalls_{*this, "stalls", "cycles", "stream beat offered while the FIFO is full"};
  sim::Counter waits_{*this, "waits", "cycles", "transfer active but no stream beat accepted for another reason"};
};

}  // namespace fansim::axi
