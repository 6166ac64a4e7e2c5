// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/replayed_core.h"

#include <algorithm>
#include <memory>

#include "timing/replay/shift.h"

namespace fansim::stream {

ReplayedCore::ReplayedCore(const ArrayConfig& config, const HostTrace& trace, bool keeps_waits, JobTable table)
    : StreamCore(config, std::make_unique<SteadyBackEnd>(config)),
      keeps_waits_(keeps_waits),
      trace_(trace),
      steady_(static_cast<SteadyBackEnd&>(*back_)),
      table_(std::move(table)),
      outcomes_(trace.commands.size()) {}

StreamCore::Job ReplayedCore::run(const Command& job, timing::Edge start) {
  const JobOutcome*& outcome = outcomes_[static_cast<std::size_t>(&job - trace_.commands.data())];
  if (outcome == nullptr) outcome = table_.find(job);
  if (outcome != nullptr && start + outcome->first_window >= clear_from_) return replay(*outcome, job, start);
  if (replayed_ && start < clear_from_) catch_up();
  replayed_.reset();
  const timing::Edge clear_before = clear_from_;
  const CoreAccount account_before = account_;
  const std::size_t waits_before = waits_.size();
  const Job done = follow(job, start);
  clear_from_ = std::max(done.finished, steady_.clear_from());
  if (outcome == nullptr && first_window_ >= clear_before) outcome = record(done, start, account_before, waits_before);
  return done;
}

StreamCore::Job ReplayedCore::replay(const JobOutcome& outcome, const Command& job, timing::Edge start) {
  replayed_ = {&job, start};
  clear_from_ = start + outcome.clear_from;
  account_.add(outcome.account);
  if (keeps_waits_) {
    for (Wait wait : outcome.waits) {
      wait.first.from += start;
      wait.first.to += start;
      waits_.push_back(wait);
    }
  }
  return {start + outcome.finished, outcome.tile == timing::kNever ? timing::kNever : start + outcome.tile};
}

// Follows the job that was replayed last, for what it left in the blocks.
void ReplayedCore::catch_up() {
  const CoreAccount account = account_;
  const std::size_t waits = waits_.size();
  follow(*replayed_->job, replayed_->start);
  account_ = account;
  waits_.resize(waits);
}

const JobOutcome* ReplayedCore::record(const Job& done, timing::Edge start, const CoreAccount& before,
                                       std::size_t waits_before) {
  JobOutcome outcome;
  outcome.finished = done.finished - start;
  outcome.tile = done.tile == timing::kNever ? timing::kNever : done.tile - start;
  outcome.first_window = first_window_ - start;
  outcome.clear_from = clear_from_ - start;
  outcome.account = account_;
  outcome.account.add(before, -1);
  if (keeps_waits_) outcome.waits.assign(waits_.begin() + static_cast<std::ptrdiff_t>(waits_before), waits_.end());
  for (Wait& wait : outcome.waits) {
    wait.first.from -= start;
    wait.first.to -= start;
  }
  return table_.add(std::move(outcome));
}

timing::Edge ReplayedCore::last_sum() const {
  if (!steady_.steady()) return StreamCore::last_sum();
  const PassRecord& record = last_pass();
  return record.taken(static_cast<int>(record.at_array.size()) + record.steady_windows - 1) + steady_.sum_offset();
}

// As soon as one pass leaves everything as the pass before did, all others do, but the one that may complete the tile.
void ReplayedCore::groups(const Command& job, int row, const PassShape& shape, bool last, std::int64_t passes_after) {
  const int looked_at = last ? 1 : 0;
  steady_.begin_pass(row, last);
  for (int group = 0; group < job.groups; ++group) {
    const int passes = job.groups - group - 1 - looked_at;
    if (passes < 1) {
      pass(shape);
      continue;
    }
    if (group == 0) period_.look(front_);
    const bool steady = steady_.steady();
    const std::size_t waits = waits_.size();
    pass(shape);
    const bool repeats = period_.look(front_);
    if (!steady || !steady_.steady() || waits_.size() > waits + 1) continue;
    if (!repeats || !steady_.take_passes(passes)) continue;
    repeat(shape, passes, waits_.size() > waits, passes_after + looked_at);
    group += passes;
  }
}

// So many more passes like the last one; the job's last few passes have their records.
void ReplayedCore::repeat(const PassShape& shape, int passes, bool waited, std::int64_t passes_after) {
  const timing::Edge period = period_.edges();
  const PassRecord& last = last_pass();
  const auto records = std::min<std::int64_t>(passes, static_cast<std::int64_t>(kPasses) - passes_after);
  for (std::int64_t i = passes - records + 1; i <= passes; ++i) {
    passes_[next_pass_] = last;
    timing::shift(passes_[next_pass_], i * period);
    next_pass_ = (next_pass_ + 1) % kPasses;
  }
  period_.skip(front_, passes);
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

// From where nothing waits, column c is popped c - column edges later, and its window taken an edge after that.
bool ReplayedCore::rest_of_pass(const PassShape& shape, Column& at, PassRecord& record) {
  if (!at.taken_at_once || at.popped != at.pushed + 1 || !steady_.steady()) return false;
  Front& f = front_;
  const timing::Edge left = shape.columns - 1 - at.number;
  record.steady_windows = shape.windows - at.windows;
  record.steady_step = shape.step;
  record.steady_from = at.popped + (at.due - at.number) + 1;
  if (record.steady_windows > 0) {
    const timing::Edge last = record.steady_from + timing::Edge{record.steady_windows - 1} * shape.step;
    f.window_pops = {record.steady_windows > 1 ? last - shape.step : f.window_pops.last, last};
  }
  f.pairs.take_all(record.steady_from, shape.step, record.steady_windows);
  if (left > 0) f.column_pops = {at.popped + left - 1, at.popped + left};
  at.pushed = f.lines.push_all(left);
  steady_.take_all(at.windows, shape.windows, [&](int x) { return record.taken(x); });
  return true;
}

}  // namespace fansim::stream
