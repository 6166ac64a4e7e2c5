// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/vision/config/config.h"
#include "accelerators/vision/config/rows.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::vision {

// How an image's rows come: RowMover and the memory-to-stream half of the DMA, a burst at a time, its stream taken beat
// by beat.
class ImageReads final : public timing::ReadSink {
 public:
  ImageReads(const Config& config, timing::Memory& memory, int port);

  // The mover's block pops its job at `start`.
  void begin(const RowsOfJob& rows, timing::Edge start);
  // Asks the memory for the next burst, as soon as it is known when it is pushed; false: it is not.
  bool ask();
  // The next stream beat, which the reader can pop from `ready` on, pops at `popped`; false: it is not known when it
  // leaves the mover.
  bool next(timing::Edge ready, timing::Edge& popped);
  timing::Edge data(int beats, timing::Edge from) override;

  std::int64_t bytes() const { return bytes_; }

 private:
  struct Run {
    timing::Edge visible;
    std::int64_t beats;
  };

  void command(timing::Edge pushed);
  void stream();
  timing::Edge& left(std::int64_t beat) { return left_[static_cast<std::size_t>(beat) & (left_.size() - 1)]; }

  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const int port_;
  timing::Memory& memory_;

  RowsOfJob rows_;  // still to be asked for
  std::int64_t bytes_ = 0;

  // The transfer, in beats from its start.
  std::uint64_t next_address_ = 0;
  std::int64_t to_issue_ = 0, issued_ = 0, beats_ = 0, streamed_ = 0;
  timing::Edge issue_from_ = 0, active_from_ = 0;
  timing::Queue<int> in_flight_;
  timing::Queue<timing::Edge> slots_;
  timing::Queue<Run> visible_;              // received and not streamed
  std::vector<timing::Edge> left_;          // the edges of the last beats on the stream
  timing::Edge pushed_ = timing::kLongAgo;  // the last beat by the memory, of whatever transfer
  timing::Edge last_left_ = timing::kLongAgo;
  timing::Queue<timing::Edge> offered_;  // of beats on the stream that are not popped, when they came
  timing::Pops pops_;                    // by the reader
};

}  // namespace fansim::vision
