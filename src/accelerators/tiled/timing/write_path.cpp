// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/write_path.h"

#include <algorithm>

#include "timing/replay/snapshot.h"

namespace fansim::tiled {

using timing::Clock;
using What = PathEvent::What;

WritePath::WritePath(const PathConfig& config)
    : config_(config),
      buffer_beats_(2 * config.axi.burst_beats),
      channel_(config),
      accepted_(buffer_beats_ + 4),
      beats_(config, buffer_beats_ + 4),
      returned_(config.port_outstanding + 2),
      joined_(config.port_outstanding + 2),
      response_crossed_(config.depth + 2),
      answered_(config.outstanding + 2) {}

void WritePath::follow(const PathEvent& told, WriteRuns& runs, PathEvents& events) {
  runs_ = &runs;
  events_ = &events;
  if (told.what == What::begin)
    begin_tile(told.edge);
  else if (told.what == What::take)
    beats_.take(told.edge);
  else
    respond(told.edge);
  advance();
}

// A tile begins, and its half is filled.
void WritePath::begin_tile(timing::Edge from) {
  issuer_.begin_tile(from);
  filled_.push(from);
}

void WritePath::advance() {
  for (bool more = true; more;) {
    more = fill();
    while (ask() || convert() || issue() || start_run() || issue_run()) more = true;
    more |= beats_.flow(*events_);
    more |= answer();
  }
}

bool WritePath::issue_run() {
  if (!issuer_.has_room()) return false;
  const bool last = runs_->issues.take();
  issuer_.issue(last);
  if (last) events_->push_back({What::issued, 0, issuer_.issued()});
  return true;
}

// Fills the writer's buffer.
bool WritePath::fill() {
  bool any = false;
  for (bool more = true; more; any |= more) {
    more = false;
    while (encode() || leave()) more = true;
    more |= accept();
  }
  return any;
}

bool WritePath::encode() {
  timing::Edge from = timing::kLongAgo;
  if (!encoding_) {
    if (!issuer_.coder_waits() || (!open_ && filled_.empty())) return false;
    from = issuer_.at_coder() + 1;
    if (!open_) from = std::max(from, filled_.front() + 1);
  }
  if (!encoder_.enter(from)) return false;
  const timing::Edge read = encoder_.last_entered();
  if (!encoding_) {
    issuer_.pop_coder(read);
    if (!open_) filled_.pop();
    open_ = true;
  }
  const ExtentBeats::Beat beat = runs_->to_encode.take();
  encoding_ = !beat.ends_run;
  if (!beat.ends_tile) return true;
  events_->push_back({What::freed, 0, read});
  open_ = false;
  return true;
}

bool WritePath::leave() {
  const std::int64_t i = encoder_.left();
  if (encoder_.entered() <= i || accepted_.count() < i - 1) return false;
  encoder_.leave(accepted_[i - 2] + 1);
  return true;
}

bool WritePath::accept() {
  const std::int64_t end = std::min(encoder_.left(), beats_.sent().count() + buffer_beats_);
  if (accepted_.count() >= end) return false;
  for (std::int64_t i = accepted_.count(); i < end; ++i)
    accepted_.add(std::max({encoder_.left(i) + 1, accepted_.last() + 1, beats_.sent()[i - buffer_beats_] + 1}));
  return true;
}

bool WritePath::start_run() {
  if (next_.beats > 0 || !issuer_.manager_waits()) return false;
  const timing::Edge popped = std::max(issuer_.at_manager() + 1, issued_ + 1);
  issuer_.pop_manager(popped);
  issued_ = popped - 1;
  next_ = runs_->bursts.take();
  return true;
}

// Issues a burst whose beats are all in the buffer.
bool WritePath::issue() {
  if (next_.beats == 0 || !channel_.has_room()) return false;
  const std::int64_t before = bursts_issued() - config_.outstanding;
  if (accepted_.count() < beats_issued_ + next_.beats || answered_.count() <= before) return false;
  const timing::Edge buffered = accepted_[beats_issued_ + next_.beats - 1];
  issued_ = std::max({issued_ + 1, buffered + 1, answered_[before] + 1, channel_.room()});
  channel_.push(issued_, next_.lane, next_.beats);
  beats_.send(next_.beats, issued_);
  to_answer_.push({config_.parts(next_.lane, next_.beats), next_.ends_tile});
  beats_issued_ += next_.beats;
  next_ = next_.ends_run ? RunBurst{} : runs_->bursts.take();
  return true;
}

// The width converter takes a burst, for which it has a place.
bool WritePath::convert() {
  const std::int64_t placed = bursts_converted_ - config_.port_outstanding;
  if (!channel_.has_burst() || joined_.count() <= placed) return false;
  const BurstChannel::Burst burst = channel_.take(joined_[placed]);
  beats_.convert(burst.lane, burst.beats, burst.taken);
  ++bursts_converted_;
  return true;
}

bool WritePath::ask() {
  if (!channel_.has_part()) return false;
  const std::int64_t before = parts_asked_ - config_.port_outstanding;
  if (returned_.count() <= before) return false;
  const BurstChannel::Part part = channel_.grant(returned_[before]);
  ++parts_asked_;
  beats_.grant(part.beats, part.granted);
  events_->push_back({What::asked, part.beats, part.granted + 1});
  return true;
}

// Answers bursts whose last beats were popped.
bool WritePath::answer() {
  timing::Queue<timing::Edge>& written = beats_.written();
  if (written.empty()) return false;
  if (!config_.write_latency) {
    written.clear();
    return false;
  }
  while (!written.empty()) respond(written.pop() + *config_.write_latency);
  return true;
}

void WritePath::respond(timing::Edge from) {
  const std::int64_t q = responded_.count();
  responded_.add(std::max({from, responded_.last() + 1, returned_[q - 2] + 1}));
  returned_.add(std::max({responded_.last() + 1, returned_.last() + 1, gathered_[q - 2] + 1}));
  gathered_.add(std::max({returned_.last() + 1, gathered_.last() + 1, joined_.last()}));
  Answer& answer = to_answer_.front();
  if (--answer.parts > 0) return;
  const std::int64_t b = joined_.count();
  joined_.add(std::max(gathered_.last() + 1, response_written_[b - 2] + 1));
  const timing::Edge place = timing::place_free(response_crossed_[b - config_.depth],
                                                [this](timing::Edge e) { return config_.clocks.seen_by_port(e); });
  const timing::Edge written =
      response_written_.add(std::max({joined_.last() + 1, response_written_.last() + 1, place}));
  const timing::Edge crossed = response_crossed_.add(
      std::max({config_.clocks.seen_by_fabric(written), response_crossed_.last() + 1, answered_[b - 2] + 1}));
  answered_.add(std::max(crossed + 1, answered_.last() + 1));
  if (answer.ends_tile) events_->push_back({What::ended, 0, answered_.last()});
  to_answer_.pop();
}

template <class V>
void WritePath::visit(V& v) {
  const timing::Edge fabric = std::max(issued_, encoder_.last_entered());
  const timing::Edge begun = fabric < 0 ? 0 : config_.clocks.to_port.floor(fabric);
  v.origin(Clock::port, beats_.last_popped() < 0 ? begun : beats_.last_popped());
  v.edge(issued_);
  v.number(next_.lane);
  v.number(next_.beats);
  v.number(next_.ends_run);
  v.number(next_.ends_tile);
  const BurstChannel::Next next = channel_.visit(v, issued_);
  visit_encoder(v);
  issuer_.visit(v, {issued_ + 1, encoder_.last_entered() + 1, config_.clocks.after(beats_.decided())});
  visit_responses(v, next);
  v.idle(issuer_.idle() && !encoding_ && filled_.empty() && next_.beats == 0 && to_answer_.empty());
  const timing::Edge popped = beats_.next_popped();
  v.told_from(config_.write_latency ? popped : std::min(popped, responded_.last() + 1));
}

// Beats count from those that were sent.
template <class V>
void WritePath::visit_encoder(V& v) {
  beats_.visit(v, accepted_.count() - buffer_beats_, accepted_.last());
  std::int64_t sent = beats_.sent().count(), accepted = accepted_.count(), left = encoder_.left();
  v.counter(sent);
  v.count(beats_issued_);
  v.count(accepted);
  v.count(left);
  const timing::Edge floor = std::min(issued_, accepted_[accepted - 2] - 1);
  v.history(accepted_, std::min(beats_issued_, accepted - 2), accepted, floor);
  encoder_.visit(v, left, left - accepted);
  v.number(open_);
  v.number(encoding_);
  v.queue(filled_, [&](timing::Edge& filled) { v.edge(filled, encoder_.last_entered()); });
}

// The next response leaves the memory behind the last one, and each stage an edge later at the earliest. Parts count
// from those that were responded to, bursts from those that were answered.
template <class V>
void WritePath::visit_responses(V& v, const BurstChannel::Next& next) {
  v.queue(to_answer_, [&](Answer& answer) {
    v.number(answer.parts);
    v.number(answer.ends_tile);
  });
  std::int64_t part = responded_.count(), burst = joined_.count();
  v.counter(part);
  v.count(parts_asked_);
  v.counter(burst);
  v.count(bursts_converted_);
  const timing::Edge last = responded_.last(), seen = last + 5 - config_.clocks.stages;
  const timing::Edge crossed = last < 0 || seen < 0 ? timing::kLongAgo : config_.clocks.to_fabric.floor(seen);
  const timing::Edge answered = last < 0 ? timing::kLongAgo : config_.clocks.seen_by_fabric(last + 5) - 1;
  v.history(Clock::port, responded_, part - 1, part, timing::kLongAgo);
  v.history(Clock::port, returned_, std::min(parts_asked_ - config_.port_outstanding, part - 2), part,
            std::min(next.granted, last));
  v.history(Clock::port, gathered_, part - 2, part, last + 1);
  v.history(Clock::port, joined_, std::min(bursts_converted_ - config_.port_outstanding, burst - 1), burst,
            std::min(next.taken, last + 1));
  v.history(Clock::port, response_written_, burst - 2, burst, last + 1);
  v.history(response_crossed_, burst - config_.depth, burst, crossed);
  v.history(answered_, std::min(bursts_issued() - config_.outstanding, burst - 2), burst, std::min(issued_, answered));
}

template void WritePath::visit(timing::SnapshotWriter&);
template void WritePath::visit(timing::SnapshotReader&);

}  // namespace fansim::tiled
