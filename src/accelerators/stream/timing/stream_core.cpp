// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/stream_core.h"

#include <algorithm>

#include "accelerators/stream/config/line_fill.h"

namespace fansim::stream {

void StreamCore::Front::shift(timing::Edge by) {
  issued += by, filled += by;
  line_pops.shift(by), pass_pops.shift(by), column_pops.shift(by), window_pops.shift(by);
  lines.shift(by), weights.shift(by), pairs.shift(by);
}

bool StreamCore::Front::same_later(const Front& later) const {
  const timing::Edge by = later.issued - issued;
  return lines.same_later(later.lines, by) && line_pops.same_later(later.line_pops, by) &&
         pass_pops.same_later(later.pass_pops, by) && column_pops.same_later(later.column_pops, by) &&
         window_pops.same_later(later.window_pops, by) && weights.same_later(later.weights, by) &&
         pairs.same_later(later.pairs, by);
}

StreamCore::StreamCore(const ArrayConfig& config, bool keeps_waits, KnownJobs known)
    : config_(config),
      keeps_waits_(keeps_waits),
      front_{timing::kLongAgo,   {}, timing::kLongAgo, LineReads(config.line_latency()), {}, {}, {}, WeightFeed(config),
             WindowPairs(config)},
      before_(front_),
      back_(config),
      known_(std::move(known)) {}

StreamCore::Job StreamCore::run(const Command& job, timing::Edge start, const KnownJob*& known) {
  if (known == nullptr) known = known_.find(job);
  if (known != nullptr && start + known->first_window >= at_rest_) return again(*known, job, start);
  if (repeated_ && start < at_rest_) follow_repeated();
  repeated_.reset();
  const timing::Edge rest_before = at_rest_;
  const CoreAccount account_before = account_;
  const std::size_t waits_before = waits_.size();
  const Job done = follow(job, start);
  if (known == nullptr && first_window_ >= rest_before) known = remember(done, start, account_before, waits_before);
  return done;
}

StreamCore::Job StreamCore::again(const KnownJob& known, const Command& job, timing::Edge start) {
  repeated_ = {&job, start};
  at_rest_ = start + known.at_rest;
  account_.add(known.account);
  if (keeps_waits_) {
    for (Wait wait : known.waits) {
      wait.first.from += start, wait.first.to += start;
      waits_.push_back(wait);
    }
  }
  return {start + known.finished, known.tile == timing::kNever ? timing::kNever : start + known.tile};
}

// The last job again, for what it left in the blocks.
void StreamCore::follow_repeated() {
  const CoreAccount account = account_;
  const std::size_t waits = waits_.size();
  follow(*repeated_->job, repeated_->start);
  account_ = account;
  waits_.resize(waits);
}

const KnownJob* StreamCore::remember(const Job& done, timing::Edge start, const CoreAccount& before,
                                     std::size_t waits_before) {
  KnownJob known;
  known.finished = done.finished - start;
  known.tile = done.tile == timing::kNever ? timing::kNever : done.tile - start;
  known.first_window = first_window_ - start;
  known.at_rest = at_rest_ - start;
  known.account = account_;
  known.account.add(before, -1);
  if (keeps_waits_) known.waits.assign(waits_.begin() + static_cast<std::ptrdiff_t>(waits_before), waits_.end());
  for (Wait& wait : known.waits) wait.first.from -= start, wait.first.to -= start;
  return known_.add(std::move(known));
}

// A convolution is done with its last sum; a recurrent step with its last hidden unit, and the next step needs it.
StreamCore::Job StreamCore::follow(const Command& job, timing::Edge start) {
  first_window_ = timing::kNever;
  back_.begin_job(job);
  timing::Edge finished = start;
  const int steps = job.start_recurrent ? job.steps : 1;
  for (int step = 0; step < steps; ++step) {
    const timing::Edge from = finished;
    front_.issued = from - 1;
    at_array_ = 0;
    nest(job, !job.start_recurrent);
    const timing::Edge done = job.start_recurrent ? back_.step_done() : last_sum_;
    finished = std::max(done, front_.issued) + 1;
    account_job(from, finished);
  }
  at_rest_ = std::max(finished, back_.at_rest());
  return {finished, back_.tile()};
}

void StreamCore::nest(const Command& job, bool job_end) {
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
  if (!job_end) return;
  const PassRecord& record = last_pass();
  const int windows = static_cast<int>(record.at_array.size()) + record.run_windows;
  last_sum_ = back_.flows() ? record.taken(windows - 1) + back_.sum_offset() : back_.summed();
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

// One pass per group. As soon as one leaves everything as the one before did, all others do, but that with which the
// tile may be complete.
void StreamCore::groups(const Command& job, int row, const PassShape& shape, bool last, std::int64_t passes_after) {
  const int looked_at = last ? 1 : 0;
  back_.begin_pass(row, last);
  for (int group = 0; group < job.groups; ++group) {
    const int passes = job.groups - group - 1 - looked_at;
    if (passes < 1) {
      pass(shape);
      continue;
    }
    before_ = front_;
    const bool flowed = back_.flows();
    const std::size_t waits = waits_.size();
    pass(shape);
    if (!flowed || !back_.flows() || waits_.size() > waits + 1) continue;
    if (!before_.same_later(front_) || !back_.flow_passes(passes)) continue;
    repeat(shape, passes, waits_.size() > waits, passes_after + looked_at);
    group += passes;
  }
}

// So many more passes like the last one, the job's last few of them with their records.
void StreamCore::repeat(const PassShape& shape, int passes, bool waited, std::int64_t passes_after) {
  const timing::Edge period = front_.issued - before_.issued;
  const PassRecord& last = last_pass();
  const auto records = std::min<std::int64_t>(passes, static_cast<std::int64_t>(kPasses) - passes_after);
  for (std::int64_t i = passes - records + 1; i <= passes; ++i) {
    passes_[next_pass_] = last;
    passes_[next_pass_].shift(i * period);
    next_pass_ = (next_pass_ + 1) % kPasses;
  }
  front_.shift(passes * period);
  account_.compute += std::int64_t{passes} * shape.windows;
  at_array_ += std::int64_t{passes} * shape.windows;
  if (!waited) return;
  Wait& wait = waits_.back();
  wait.count += passes;
  wait.period = period;
  const timing::Edge length = wait.first.to - wait.first.from;
  account_.weight_waits += passes * length;
  at_array_ += passes * length;
}

void StreamCore::pass(const PassShape& shape) {
  Front& f = front_;
  f.issued = std::max({f.issued + 1, f.line_pops.room(), f.pass_pops.room(), f.weights.room()});
  f.weights.fetch(f.issued);
  PassRecord& record = passes_[next_pass_];
  next_pass_ = (next_pass_ + 1) % kPasses;
  record.at_array.clear();
  record.run_windows = 0;
  columns(shape, record);
  account_.compute += shape.windows;
  at_array_ += record.run_windows;
  for (const timing::Span& at_array : record.at_array) at_array_ += at_array.to - at_array.from;
}

void StreamCore::columns(const PassShape& shape, PassRecord& record) {
  Front& f = front_;
  const timing::Edge line_taken = std::max({f.issued + 1, f.filled, f.lines.pass_free()});
  f.lines.begin(line_taken);
  f.line_pops.add(line_taken);
  f.pass_pops.add(std::max(f.issued, f.column_pops.last) + 1);
  timing::Edge pushed = line_taken;
  int x = 0;
  int due = shape.first_due;
  bool arrived = false;  // the last window was taken as soon as it could be seen
  for (int column = 0; column < shape.columns; ++column) {
    pushed = f.lines.push(f.column_pops.room());
    timing::Edge popped = std::max(pushed, f.column_pops.last) + 1;
    const bool completes = column == due && x < shape.windows;
    if (completes) popped = std::max(popped, f.window_pops.room());
    f.column_pops.add(popped);
    if (completes) {
      f.window_pops.add(take(x, popped + 1, record));
      arrived = f.window_pops.last == popped + 1;
      due += shape.step;
      ++x;
    }
    if (!arrived || popped != pushed + 1 || !back_.flows()) continue;
    // From here on nothing waits: column c is popped c - column edges later, and its window taken an edge after.
    const timing::Edge left = shape.columns - 1 - column;
    record.run_windows = shape.windows - x;
    record.run_step = shape.step;
    record.run_from = popped + (due - column) + 1;
    if (record.run_windows > 0) {
      const timing::Edge last = record.run_from + timing::Edge{record.run_windows - 1} * shape.step;
      f.window_pops = {record.run_windows > 1 ? last - shape.step : f.window_pops.last, last};
    }
    f.pairs.flow(record.run_from, shape.step, record.run_windows);
    if (left > 0) f.column_pops = {popped + left - 1, popped + left};
    pushed = f.lines.flow(left);
    back_.flow(x, shape.windows, [&](int at) { return record.taken(at); });
    break;
  }
  record.line = {line_taken, pushed};
  record.window = {f.pass_pops.last, f.column_pops.last};
  record.at_array_until = f.window_pops.last + 1;
}

// A pass's first window waits for its weights; any other only for the array itself.
timing::Edge StreamCore::take(int x, timing::Edge arrives, PassRecord& record) {
  const timing::Edge waits = std::max(arrives, front_.window_pops.last + 1);
  first_window_ = std::min(first_window_, waits);
  timing::Edge ready = waits;
  if (x == 0) ready = std::max({waits, front_.weights.ready(waits, back_.array()), front_.pairs.free(back_.array())});
  const timing::Edge taken = back_.take(x, ready);
  front_.pairs.take(taken, back_.array());
  if (x == 0) front_.weights.take(taken);
  timing::Edge from = waits;
  const auto wait = [&](timing::Edge begin, timing::Edge end) {
    if (begin == end) return;
    waits_.push_back({{begin, end}, 1, 0});
    account_.weight_waits += end - begin;
  };
  back_.array().for_each_hold(waits, taken, [&](timing::Edge begin, timing::Edge end) {
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
