// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/vision/config/job.h"
#include "timing/beat_runs.h"
#include "timing/row_reads.h"
#include "timing/row_writes.h"

namespace fansim::vision {

// Follows the reader, the units and the packer of one job. Nothing waits between the reader and the packer's results:
// the samples that the reader sends in cycle n are a result at n + latency, or none.
class PixelFlow {
 public:
  // The blocks pop the job at `start`. With `closed_forms`, steps that nothing holds up are taken many at once.
  PixelFlow(const Config& config, const Job& job, timing::Edge start, timing::RowReads& image, timing::RowReads& second,
            timing::RowWrites& writes, bool closed_forms);

  // Goes on as far as edges can be computed now. Returns false if that is nowhere.
  bool advance();
  bool done() const { return to_send_ + to_flush_ == 0 && taken_.count() == there_.count(); }

  timing::Edge last_sent() const { return sent_; }
  timing::Edge last_taken() const { return last_taken_; }
  timing::Edge streamed() const { return streamed_; }
  timing::Edge flushed() const { return flushed_; }
  timing::Edge waited_output() const { return waited_output_; }
  timing::Edge waited_input() const { return waited_input_; }
  std::int64_t samples() const { return samples_written_; }

 private:
  struct Source {
    std::int64_t held = 0;  // cycles' worth of samples left of the beat that was popped
    std::int64_t per_beat = 1;
    timing::Edge usable = 0;  // the first edge at which they can be used
  };

  bool refill(Source& source, timing::RowReads& reads);
  bool send();
  std::int64_t send_run(timing::Edge ready, std::int64_t most, bool of_image);
  std::int64_t supply(timing::Edge edge, std::int64_t most);
  static std::int64_t in_step(const Source& source, timing::RowReads& reads, timing::Edge edge, std::int64_t most);
  static void take_up(Source& source, timing::RowReads& reads, timing::Edge edge, std::int64_t steps);
  bool take();
  std::int64_t take_run(timing::Edge edge, std::int64_t most);
  void taken(timing::Edge first, std::int64_t steps);
  void sent_beats(std::int64_t beats, timing::Edge last);
  bool empty_packer();
  int kept();

  const Job& job_;
  timing::RowReads& image_reads_;
  timing::RowReads& second_reads_;
  timing::RowWrites& writes_;
  const bool closed_forms_;
  const int samples_, beat_bytes_, room_;
  timing::Edge latency_ = 0;  // edges from the reader's push to the packer's pop

  std::int64_t to_send_ = 0, to_flush_ = 0, silent_ = 0;
  Source image_, second_;
  timing::Edge sent_;  // edge of the last samples

  // These hold, for each result, the edge at which it was there, and the edge at which it was taken.
  timing::BeatRuns there_, taken_;

  // These describe the packer.
  timing::Edge take_from_;
  timing::Edge last_taken_ = 0;  // edge of the last result
  timing::Edge packed_ = 0;      // the edge that completed the beat that waits, or after which it may go
  int row_steps_ = 1, row_ = 0, step_ = 0;
  int held_ = 0;
  bool row_ended_ = false;
  std::int64_t row_left_ = 0;
  std::int64_t beats_ = 0;  // number of beats sent

  timing::Edge streamed_ = 0, flushed_ = 0, waited_output_ = 0, waited_input_ = 0;
  std::int64_t samples_written_ = 0;
};

// Returns the edges from a push of the reader to the packer's pop of its result.
timing::Edge route_latency(const Config& config, const Job& job);

}  // namespace fansim::vision
