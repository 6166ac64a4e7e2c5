// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/command.h"
#include "accelerators/stream/timing/back_end.h"
#include "accelerators/stream/timing/core_account.h"
#include "accelerators/stream/timing/drain.h"
#include "accelerators/stream/timing/line_reads.h"
#include "accelerators/stream/timing/pass.h"
#include "accelerators/stream/timing/weight_feed.h"
#include "accelerators/stream/timing/window_pairs.h"

namespace fansim::stream {

// The core of the streaming accelerator, one job after another: sequencer, line buffers, sliding window, weight reader
// and MAC array, then the back end. The start of a job is given; everything in it follows from that, pass by pass,
// column by column and window by window.
class StreamCore {
 public:
  explicit StreamCore(const ArrayConfig& config);
  virtual ~StreamCore() = default;

  struct Job {
    timing::Edge finished = 0;           // the sequencer leaves the job: its interrupt is visible an edge later
    timing::Edge tile = timing::kNever;  // the job's tile is in the output buffer; kNever: the job sends none
  };
  // The sequencer takes the job at `start`. The command must outlive the next job.
  virtual Job run(const Command& job, timing::Edge start);

  // The edges of all jobs so far, and the spans in which a window waited for weights, in order.
  const CoreAccount& account() const { return account_; }
  const Waits& weight_waits() const { return waits_; }

 protected:
  StreamCore(const ArrayConfig& config, std::unique_ptr<BackEnd> back);

  // What decides when the next passes run.
  struct Front {
    explicit Front(const ArrayConfig& config) : lines(config.line_latency()), weights(config), pairs(config) {}

    template <class State>
    void visit(State& state) {
      state.origin(issued);
      state.edge(issued);
      line_pops.visit(state);
      lines.visit(state);
      state.edge(filled, lines.pass_free());
      pass_pops.visit(state);
      column_pops.visit(state);
      window_pops.visit(state);
      weights.visit(state);
      pairs.visit(state);
    }

    timing::Edge issued = timing::kLongAgo;  // the last line command
    timing::Pops line_pops;                  // commands, by the line buffers
    timing::Edge filled = timing::kLongAgo;  // no pass streams before the last fill is over
    LineReads lines;
    timing::Pops pass_pops;    // commands, by the sliding window
    timing::Pops column_pops;  // columns, by the sliding window
    timing::Pops window_pops;  // windows, by the array
    WeightFeed weights;
    WindowPairs pairs;
  };
  // A column of a pass on its way, and the windows so far.
  struct Column {
    int number = 0;
    int due = 0;                          // the column that completes the next window
    int windows = 0;                      // taken
    timing::Edge pushed = 0, popped = 0;  // by the line buffers; by the sliding window
    bool taken_at_once = false;           // the array took the last window as soon as it could see it
  };

  Job follow(const Command& job, timing::Edge start);
  // The passes over one row of windows, one per group of outputs. `passes_after`: how many the job has behind these.
  virtual void groups(const Command& job, int row, const PassShape& shape, bool last, std::int64_t passes_after);
  void pass(const PassShape& shape);
  // Called behind every column of a pass: whether its other columns and windows need not be followed.
  virtual bool rest_of_pass(const PassShape&, Column&, PassRecord&) { return false; }
  virtual timing::Edge last_sum() const { return back_->summed(); }

  const ArrayConfig config_;
  Front front_;
  const std::unique_ptr<BackEnd> back_;

  // The passes and fills of the job that is being issued. Only the last few can be under way when all are issued.
  static constexpr std::size_t kPasses = 12;
  std::array<PassRecord, kPasses> passes_;
  std::array<timing::Span, kPasses> fills_{};
  std::size_t next_pass_ = 0, next_fill_ = 0;
  std::int64_t at_array_ = 0;                   // edges of the job at which the array had a window
  timing::Edge first_window_ = timing::kNever;  // the job's first window is in front of the array

  CoreAccount account_;
  Waits waits_;

 private:
  void nest(const Command& job);
  void fill(const Command& job, int block, int row);
  void columns(const PassShape& shape, PassRecord& record);
  timing::Edge take(int x, timing::Edge arrives, PassRecord& record);
  void account_job(timing::Edge from, timing::Edge finished);

  Drain drain_;
};

}  // namespace fansim::stream
