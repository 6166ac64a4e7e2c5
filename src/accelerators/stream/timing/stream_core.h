// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/command.h"
#include "accelerators/stream/timing/back_end.h"
#include "accelerators/stream/timing/drain.h"
#include "accelerators/stream/timing/known_jobs.h"
#include "accelerators/stream/timing/line_reads.h"
#include "accelerators/stream/timing/pass.h"
#include "accelerators/stream/timing/waits.h"
#include "accelerators/stream/timing/weight_feed.h"
#include "accelerators/stream/timing/window_pairs.h"

namespace fansim::stream {

// The core of the streaming accelerator, one job after another: sequencer, line buffers, sliding window, weight reader
// and MAC array, then the back end. Where a job starts is given; everything in it follows from that. One that has been
// followed once, and meets nothing of the job before, does the same again.
class StreamCore {
 public:
  // `keeps_waits`: whether the waits of known jobs are asked for. `known`: jobs that have been seen on such an array,
  // by a core that kept the same.
  explicit StreamCore(const ArrayConfig& config, bool keeps_waits = true, KnownJobs known = {});

  struct Job {
    timing::Edge finished = 0;           // the sequencer leaves it: the job interrupt is visible an edge later
    timing::Edge tile = timing::kNever;  // its tile lies in the output buffer; kNever: none is sent
  };
  // The sequencer takes the job at `start`. `known`: what is known of it, or null; then what is known by now. A command
  // outlives the next.
  Job run(const Command& job, timing::Edge start, const KnownJob*& known);

  // Whether a known job at `start`, and once more `period` edges later, each meets nothing of the one before.
  bool does_again(const KnownJob& known, timing::Edge start, timing::Edge period) const {
    return start + known.first_window >= at_rest_ && period + known.first_window >= known.at_rest;
  }
  // Such a job.
  Job again(const KnownJob& known, const Command& job, timing::Edge start);

  // The edges of all jobs so far. Those at which a window waited for weights are `weight_waits`, in order.
  const CoreAccount& account() const { return account_; }
  const Waits& weight_waits() const { return waits_; }
  // The last thing that it is asked for.
  KnownJobs take_known() { return std::move(known_); }

 private:
  // What decides when the next passes run, seen from any edge.
  struct Front {
    timing::Edge issued = timing::kLongAgo;  // the last line command
    timing::Pops line_pops;                  // commands, by the line buffers
    timing::Edge filled = timing::kLongAgo;  // the line buffers take a command after their last fill
    LineReads lines;
    timing::Pops pass_pops;    // by the sliding window
    timing::Pops column_pops;  // by the sliding window
    timing::Pops window_pops;  // by the array
    WeightFeed weights;
    WindowPairs pairs;

    void shift(timing::Edge by);
    bool same_later(const Front& later) const;
  };

  Job follow(const Command& job, timing::Edge start);
  void follow_repeated();
  const KnownJob* remember(const Job& done, timing::Edge start, const CoreAccount& before, std::size_t waits_before);
  void nest(const Command& job, bool job_end);
  void fill(const Command& job, int block, int row);
  void groups(const Command& job, int row, const PassShape& shape, bool last, std::int64_t passes_after);
  void pass(const PassShape& shape);
  void columns(const PassShape& shape, PassRecord& record);
  timing::Edge take(int x, timing::Edge arrives, PassRecord& record);
  void repeat(const PassShape& shape, int passes, bool waited, std::int64_t passes_after);
  const PassRecord& last_pass() const { return passes_[(next_pass_ + kPasses - 1) % kPasses]; }
  void account_job(timing::Edge from, timing::Edge finished);

  const ArrayConfig config_;
  const bool keeps_waits_;
  Front front_;
  Front before_;  // the last pass
  BackEnd back_;
  timing::Edge last_sum_ = 0;

  // Of the job whose passes are being issued. Only the last few passes can be under way when all are issued.
  static constexpr std::size_t kPasses = 12;
  std::array<PassRecord, kPasses> passes_;
  std::array<timing::Span, kPasses> fills_{};
  std::size_t next_pass_ = 0, next_fill_ = 0;
  std::int64_t at_array_ = 0;  // edges of the job at which the array had a window

  CoreAccount account_;
  Waits waits_;
  Drain drain_;

  KnownJobs known_;
  timing::Edge first_window_ = timing::kNever;  // of the job: in front of the array
  timing::Edge at_rest_ = timing::kLongAgo;     // nothing is left of the jobs before
  // The last job, if it was not followed: the blocks are as before it.
  struct Repeated {
    const Command* job;
    timing::Edge start;
  };
  std::optional<Repeated> repeated_;
};

}  // namespace fansim::stream
