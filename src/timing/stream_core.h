// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "arch/array.h"
#include "arch/command.h"
#include "timing/back_end.h"
#include "timing/drain.h"
#include "timing/known_jobs.h"
#include "timing/pass.h"
#include "timing/waits.h"
#include "timing/weight_feed.h"

namespace fansim::timing {

// The core of the streaming accelerator, one job after another: sequencer, line buffers, sliding window, weight reader
// and MAC array, then the back end. Where a job starts is given; everything in it follows from that. One that has been
// followed once, and meets nothing of the job before, does the same again.
class StreamCore {
 public:
  explicit StreamCore(const arch::ArrayConfig& config);

  struct Job {
    Edge finished = 0;   // the sequencer leaves it: the job interrupt is visible an edge later
    Edge tile = kNever;  // its tile lies in the output buffer; kNever: none is sent
  };
  // The sequencer takes the job at `start`.
  Job run(const arch::Command& job, Edge start);

  // The edges of all jobs so far. Those at which a window waited for weights are `weight_waits`, in order.
  const CoreAccount& account() const { return account_; }
  const Waits& weight_waits() const { return waits_; }

 private:
  // What decides when the next passes run, seen from any edge.
  struct Front {
    Edge issued = kLongAgo;  // the last line command
    Pops line_pops;          // commands, by the line buffers
    Edge lines_free = kLongAgo;
    Pops pass_pops;    // by the sliding window
    Pops column_pops;  // by the sliding window
    Pops window_pops;  // by the array
    WeightFeed weights;

    void shift(Edge by);
    bool same_later(const Front& later) const;
  };

  Job follow(const arch::Command& job, Edge start);
  Job again(const KnownJob& known, const arch::Command& job, Edge start);
  void follow_repeated();
  void remember(const Job& done, Edge start, const CoreAccount& before, std::size_t waits_before);
  void nest(const arch::Command& job, bool job_end);
  void fill(const arch::Command& job, int block, int row);
  void groups(const arch::Command& job, int row, const PassShape& shape, bool last, std::int64_t passes_after);
  void pass(const PassShape& shape);
  void columns(const PassShape& shape, PassRecord& record);
  Edge take(int x, Edge arrives, PassRecord& record);
  void repeat(const PassShape& shape, int passes, bool waited, std::int64_t passes_after);
  const PassRecord& last_pass() const { return passes_[(next_pass_ + kPasses - 1) % kPasses]; }
  void account_job(Edge from, Edge finished);

  const arch::ArrayConfig config_;
  Front front_;
  Front before_;  // the last pass
  BackEnd back_;
  Edge last_sum_ = 0;

  // Of the job whose passes are being issued. Only the last few passes can be under way when all are issued.
  static constexpr std::size_t kPasses = 12;
  std::array<PassRecord, kPasses> passes_;
  std::array<Span, kPasses> fills_{};
  std::size_t next_pass_ = 0, next_fill_ = 0;
  std::int64_t at_array_ = 0;  // edges of the job at which the array had a window

  CoreAccount account_;
  Waits waits_;
  Drain drain_;

  KnownJobs known_;
  Edge first_window_ = kNever;  // of the job: in front of the array
  Edge at_rest_ = kLongAgo;     // nothing is left of the jobs before
  // The last job, if it was not followed: the blocks are as before it.
  struct Repeated {
    arch::Command job;
    Edge start;
  };
  std::optional<Repeated> repeated_;
};

}  // namespace fansim::timing
