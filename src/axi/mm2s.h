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

// The memory-to-stream half of the AXI DMA. It reads bursts, realigns them and streams full beats, with TLAST on the
// packet's last beat. If a command does not end its packet, bytes that do not fill a beat are kept for the next
// command. An error response or a halt ends the transfer: nothing more is issued or streamed, data in flight are taken
// and dropped, and then `done` reports the bytes that were streamed and the error.
// Throughput: one burst per cycle on `ar`, one beat per cycle on `r` and on `m_axis`.
// Latency:    command popped at c: first burst pushed at c - 1 + mm2s_start (the command was written at c - 1). A beat
//             popped from `r` at t may leave on `m_axis` at t + mm2s_stream. `done` is pushed with the last beat.
// Stall:      `m_axis` full stops the stream side; bursts are issued only with FIFO space for all their beats, so `r`
//             is never refused. FIFO space and a burst slot freed at t are used again from t + 1 on.
class Mm2s final : public sim::Module {
 public:
  sim::StreamIn<TransferCommand> command{"command"};
  sim::StreamOut<ReadBurst> ar{"ar"};
  sim::StreamIn<ReadBeat> r{"r"};
  sim::StreamOut<StreamBeat> m_axis{"m_axis"};
  sim::StreamOut<TransferDone> done{"done"};

  Mm2s(const sc_core::sc_module_name& name, const contract::DmaConfig& dma, const contract::AxiConfig& axi);
  ~Mm2s() override;

  // From now on `halt` ends transfers.
  void halted_by(const sim::Reg<bool>& halt) { halt_ = &halt; }

  bool busy() const { return active_; }
  std::int64_t bytes() const { return bytes_.value(); }
  std::string waiting_for() const override;

 private:
  void step() override;
  void start(const TransferCommand& transfer);
  void issue();
  void stream();
  void send(std::int64_t after, bool last);
  void finish();
  void give_up();
  void receive();

  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const sim::Reg<bool>* halt_ = nullptr;
  const int beat_bytes_;
  const int fifo_beats_;
  ByteFifo fifo_;
  Ring<sim::Edge> visible_;  // for each beat in the FIFO: first edge at which it may leave
  Ring<int> in_flight_;      // for each burst: beats still to come

  // The state of the transfer. Positions are bytes from the start of the beat that holds the first byte.
  bool active_ = false;
  bool ends_ = true;          // the packet ends with the transfer's last byte
  std::uint32_t errors_ = 0;  // bits of DMASR
  sim::Edge issue_from_ = 0;
  std::uint64_t next_address_ = 0;
  int next_beats_ = 0;          // beats of the next burst
  std::int64_t to_issue_ = 0;   // beats
  std::int64_t reserved_ = 0;   // FIFO beats that were issued and not yet streamed
  std::int64_t fifo_base_ = 0;  // position of the oldest beat in the FIFO
  std::int64_t received_ = 0;   // position after the last received beat
  std::int64_t position_ = 0;   // position of the next byte to stream
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
  BeatBytes held_{};  // bytes of the packet that do not fill a beat yet
  int held_bytes_ = 0;

  sim::Word state_{*this, "state", {"idle", "busy"}, [this] { return std::size_t{active_}; }};
  sim::Counter transfers_{*this, "transfers", "transfers", "transfers completed"};
  sim::Counter bursts_{*this, "bursts", "bursts", "read bursts issued"};
  sim::Counter bytes_{*this, "bytes", "bytes", "useful bytes streamed"};
  sim::Counter beats_{*this, "beats", "beats", "stream beats sent"};
  sim::Counter stalls_{*this, "stalls", "cycles", "stream beat ready but not taken"};
  sim::Counter waits_{*this, "waits", "cycles", "transfer active but no stream beat ready"};
};

}  // namespace fansim::axi
