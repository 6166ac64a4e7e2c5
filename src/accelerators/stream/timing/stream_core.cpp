// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/stream_core.h"

#include <algorithm>
#include <utility>

#include "accelerators/stream/config/line_fill.h"

namespace fansim::stream {

StreamCore::StreamCore(const ArrayConfig& config) : StreamCore(config, std::make_unique<BackEnd>(config)) {}

StreamCore::StreamCore(const ArrayConfig& config, std::unique_ptr<BackEnd> back)
    : config_(config), front_(config), back_(std::move(back)) {}

StreamCore::Job StreamCore::run(const Command& job, timing::Edge start) { return follow(job, start); }

// A convolution is done with its last sum; a recurrent step with its last hidden unit, and the next step needs it.
StreamCore::Job StreamCore::follow(const Command& job, timing::Edge start) {
  first_window_ = timing::kNever;
  back_->begin_job(job);
  timing::Edge finished = start;
  const int steps = job.start_recurrent ? job.steps : 1;
  for (int step = 0; step < steps; ++step) {
    const timing::Edge from = finished;
    front_.issued = from - 1;
    at_array_ = 0;
    nest(job);
    const timing::Edge done = job.start_recurrent ? back_->step_done() : last_sum();
    finished = std::max(done, front_.issued) + 1;
    account_job(from, finished);
  }
  return {finished, back_->tile()};
}

void StreamCore::nest(const Command& job) {
  std::int64_t passes = std::int64_t{job.blocks} * job.rows * job.x_blocks * job.groups;
  for (int block = 0; block < job.blocks; ++block) {
    for (int row = 0; row < job.rows; ++row) {
      fill(job, block, row);
      for (int x_block = 0; x_block < job.x_blocks; ++x_block) {
        const bool last = job.last_round && block + 1 == job.blocks && x_block + 1 == job.x_blocks;
        passes -= job.groups;
        groups(job, row, PassShape(job, x_block, config_), last, passes);
      }
    }
  }
}

void StreamCore::fill(const Command& job, int block, int row) {
  front_.issued = std::max(front_.issued + 1, front_.line_pops.room());
  const timing::Edge taken = std::max({front_.issued + 1, front_.filled, front_.lines.fill_free()});
  const timing::Edge words = timing::Edge{LineFill(job, block, row, config_.rows).lines} * job.columns;
  front_.line_pops.add(taken);
  front_.filled = taken + words + ArrayConfig::bram_read_latency();
  fills_[next_fill_] = {taken, front_.filled - 1};
  next_fill_ = (next_fill_ + 1) % kPasses;
}

void StreamCore::groups(const Command& job, int row, const PassShape& shape, bool last, std::int64_t) {
  back_->begin_pass(row, last);
  for (int group = 0; group < job.groups; ++group) pass(shape);
}

void StreamCore::pass(const PassShape& shape) {
  Front& f = front_;
  f.issued = std::max({f.issued + 1, f.line_pops.room(), f.pass_pops.room(), f.weights.room()});
  f.weights.fetch(f.issued);
  PassRecord& record = passes_[next_pass_];
  next_pass_ = (next_pass_ + 1) % kPasses;
  record.at_array.clear();
  record.steady_windows = 0;
  columns(shape, record);
  account_.compute += shape.windows;
  at_array_ += record.steady_windows;
  for (const timing::Span& at_array : record.at_array) at_array_ += at_array.to - at_array.from;
}

void StreamCore::columns(const PassShape& shape, PassRecord& record) {
  Front& f = front_;
  const timing::Edge line_taken = std::max({f.issued + 1, f.filled, f.lines.pass_free()});
  f.lines.begin(line_taken);
  f.line_pops.add(line_taken);
  f.pass_pops.add(std::max(f.issued, f.column_pops.last) + 1);
  Column at;
  at.pushed = line_taken;
  at.due = shape.first_due;
  for (; at.number < shape.columns; ++at.number) {
    at.pushed = f.lines.push(f.column_pops.room());
    at.popped = std::max(at.pushed, f.column_pops.last) + 1;
    const bool completes = at.number == at.due && at.windows < shape.windows;
    if (completes) at.popped = std::max(at.popped, f.window_pops.room());
    f.column_pops.add(at.popped);
    if (completes) {
      f.window_pops.add(take(at.windows, at.popped + 1, record));
      at.taken_at_once = f.window_pops.last == at.popped + 1;
      at.due += shape.step;
      ++at.windows;
    }
    if (rest_of_pass(shape, at, record)) break;
  }
  record.line = {line_taken, at.pushed};
  record.window = {f.pass_pops.last, f.column_pops.last};
  record.at_array_until = f.window_pops.last + 1;
}

// A pass's first window waits for its weights; any other only for the array itself.
timing::Edge StreamCore::take(int x, timing::Edge arrives, PassRecord& record) {
  const timing::Edge waits = std::max(arrives, front_.window_pops.last + 1);
  first_window_ = std::min(first_window_, waits);
  timing::Edge ready = waits;
  if (x == 0) ready = std::max({waits, front_.weights.ready(waits, back_->array()), front_.pairs.free(back_->array())});
  const timing::Edge taken = back_->take(x, ready);
  front_.pairs.take(taken, back_->array());
  if (x == 0) front_.weights.take(taken);
  timing::Edge from = waits;
  const auto wait = [&](timing::Edge begin, timing::Edge end) {
    if (begin == end) return;
    waits_.push_back({{begin, end}, 1, 0});
    account_.weight_waits += end - begin;
  };
  back_->array().for_each_hold(waits, taken, [&](timing::Edge begin, timing::Edge end) {
    wait(from, begin);
    account_.wait_output += end - begin;
    from = end;
  });
  wait(from, taken);
  record.at_array.push_back({waits, taken + 1});
  return taken;
}

// While passes are being issued an array without a window is being filled; then lines and windows still are, or the
// last results drain.
void StreamCore::account_job(timing::Edge from, timing::Edge finished) {
  const timing::Edge issued = front_.issued;
  drain_.begin({issued, finished});
  for (const timing::Span& span : fills_) drain_.lines(span);
  for (const PassRecord& record : passes_) drain_.pass(record);
  const timing::Edge at_array = drain_.at_array(), filling = drain_.filling();
  account_.fill += issued - from - (at_array_ - at_array) + filling;
  account_.drain += finished - issued - at_array - filling;
}

}  // namespace fansim::stream
