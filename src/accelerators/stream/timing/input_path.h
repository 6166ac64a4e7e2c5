// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "contract/axi.h"
#include "contract/dma.h"
#include "timing/beat_runs.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::stream {

// The memory-to-stream half of the DMA, a burst at a time. Its stream is always taken: a receiver is armed before a
// transfer starts.
class InputPath : public timing::ReadSink {
 public:
  InputPath(const contract::DmaConfig& dma, const contract::AxiConfig& axi, timing::Memory& memory);

  // LENGTH is written at `written`, while the channel is idle: the transfer begins.
  void start(timing::Edge written, std::uint32_t address, std::uint32_t bytes);
  // Asks the memory for the next burst; false: it is not clear yet when its address is pushed.
  bool ask();
  timing::Edge data(int beats, timing::Edge from) override;

  bool active() const { return streamed_.count() < stream_beats_; }
  // The edge at which the last beat of the transfer that ended last was streamed.
  timing::Edge finished() const { return stream_free_ - 1; }

 protected:
  // How many stream beats are complete with the first `received` beats of the FIFO.
  std::int64_t complete(std::int64_t received) const;

  static constexpr int kPort = 0;
  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const std::int64_t fifo_beats_;
  timing::Memory& memory_;

  // The transfer. A stream beat is complete with the FIFO's beat of the same number, or, where bytes are realigned,
  // with the next.
  std::uint64_t next_address_ = 0;
  std::int64_t to_issue_ = 0;
  std::int64_t issued_ = 0;
  std::int64_t beats_ = 0;
  std::int64_t stream_beats_ = 0;
  bool realigned_ = false;
  timing::Edge issue_from_ = 0;
  std::int64_t received_ = 0;
  timing::Edge pushed_ = timing::kLongAgo;  // the last beat by the memory, of whatever transfer
  timing::Edge stream_free_ = 0;            // the first edge at which another beat may be streamed
  timing::Queue<int> in_flight_;            // beats to come, per burst
  int unused_ = 0;                          // slots
  timing::Queue<timing::Edge> slots_;       // the others, free from these edges on
  timing::BeatRuns streamed_;               // stream beats
};

}  // namespace fansim::stream
