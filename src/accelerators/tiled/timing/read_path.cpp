// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/read_path.h"

#include <algorithm>

#include "timing/replay/snapshot.h"

namespace fansim::tiled {

using timing::Clock;
using What = PathEvent::What;

ReadPath::ReadPath(const PathConfig& config, int gap)
    : config_(config),
      channel_(config),
      burst_spread_(config.port_outstanding + 1),
      burst_taken_(config.outstanding + 1),
      part_returned_(config.port_outstanding + 1),
      beats_(config, gap) {}

void ReadPath::follow(const PathEvent& told, ReadRuns& runs, PathEvents& events) {
  runs_ = &runs;
  events_ = &events;
  if (told.what == What::begin)
    issuer_.begin_tile(told.edge);
  else
    data(told.beats, told.edge);
  while (ask() || issue() || start_run() || issue_run()) {
  }
}

bool ReadPath::issue_run() {
  if (!issuer_.has_room()) return false;
  const bool last = runs_->issues.take();
  issuer_.issue(last);
  if (last) events_->push_back({What::issued, 0, issuer_.issued()});
  if (!decoding_) start_decoding();
  return true;
}

bool ReadPath::start_run() {
  if (issuing_ || !issuer_.manager_waits()) return false;
  const timing::Edge popped = std::max(issuer_.at_manager() + 1, issued_ + 1);
  issuer_.pop_manager(popped);
  issuing_ = true;
  issued_ = popped - 1;
  return true;
}

// Issues the reader's next burst, for which the width converter has a place.
bool ReadPath::issue() {
  if (!issuing_ || channel_.has_part() || !channel_.has_room()) return false;
  const std::int64_t b = bursts_issued(), before = b - config_.outstanding, placed = b - config_.port_outstanding;
  if (burst_taken_.count() <= std::max(before, placed)) return false;
  const RunBurst burst = runs_->bursts.take();
  issued_ = std::max({issued_ + 1, burst_taken_[before] + 1, channel_.room()});
  channel_.push(issued_, burst.lane, burst.beats);
  channel_.take(burst_spread_[placed]);
  issuing_ = !burst.ends_run;
  in_flight_.push({burst.lane, burst.beats, burst.ends_run, burst.ends_tile});
  return true;
}

bool ReadPath::ask() {
  if (!channel_.has_part()) return false;
  const std::int64_t before = parts_asked() - config_.port_outstanding;
  if (part_returned_.count() <= before) return false;
  const BurstChannel::Part part = channel_.grant(part_returned_[before]);
  to_return_.push({part.beats, part.granted + 1});
  events_->push_back({What::asked, part.beats, part.granted + 1});
  return true;
}

void ReadPath::data(int beats, timing::Edge from) {
  ReadBeats::Burst& burst = in_flight_.front();
  beats_.pass(beats, from, burst);
  events_->push_back({What::sent, beats, beats_.sent()});
  decided_ = to_return_.front().asked;
  if ((to_return_.front().beats -= beats) == 0) {
    to_return_.pop();
    part_returned_.add(beats_.returned());
  }
  if (burst.beats == 0) end_burst();
}

void ReadPath::end_burst() {
  burst_spread_.add(beats_.spread());
  burst_taken_.add(beats_.taken());
  beats_.end_burst();
  const ReadBeats::Burst burst = in_flight_.pop();
  if (burst.ends_tile) events_->push_back({What::ended, 0, beats_.decoded()});
  if (!burst.ends_run) return;
  decoding_ = false;
  if (issuer_.coder_waits()) start_decoding();
}

void ReadPath::start_decoding() {
  const Decoding run = runs_->decodings.take();
  decoding_ = true;
  issuer_.pop_coder(beats_.decode(run, issuer_.at_coder()));
}

template <class V>
void ReadPath::visit(V& v) {
  const timing::Edge issued = issued_ < 0 ? 0 : config_.clocks.to_port.floor(issued_);
  v.origin(Clock::port, beats_.sent() < 0 ? issued : beats_.sent());
  v.edge(issued_);
  v.number(issuing_);
  v.number(decoding_);
  issuer_.visit(v, {issued_ + 1, beats_.decoded() + 1, config_.clocks.after(decided_)});
  const BurstChannel::Next next = channel_.visit(v, issued_);

  v.queue(in_flight_, [&](ReadBeats::Burst& burst) {
    v.number(burst.lane);
    v.number(burst.beats);
    v.number(burst.ends_run);
    v.number(burst.ends_tile);
  });
  v.queue(to_return_, [&](Returning& part) { v.number(part.beats); });
  std::int64_t taken = burst_taken_.count();
  v.counter(taken);
  v.history(Clock::port, burst_spread_, std::min(bursts_issued() - config_.port_outstanding, taken), taken, next.taken);
  v.history(burst_taken_, std::min(bursts_issued() - config_.outstanding, taken), taken, issued_);
  std::int64_t returned = part_returned_.count();
  v.counter(returned);
  v.history(Clock::port, part_returned_, std::min(parts_asked() - config_.port_outstanding, returned), returned,
            next.granted);
  beats_.visit(v);
  v.idle(in_flight_.empty() && !decoding_ && issuer_.idle() && !issuing_);
  v.told_from(beats_.next_sent());
}

template void ReadPath::visit(timing::SnapshotWriter&);
template void ReadPath::visit(timing::SnapshotReader&);

}  // namespace fansim::tiled
