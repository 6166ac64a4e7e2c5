// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/write_path.h"

#include <algorithm>

namespace fansim::tiled {

using What = PathStep::What;

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

void WritePath::follow(const PathStep& told, WriteScript& script, PathSteps& tells) {
  script_ = &script, tells_ = &tells;
  if (told.what == What::begin)
    runs_.begin_tile(told.edge), filled_.push(told.edge);
  else if (told.what == What::take)
    beats_.take(told.edge);
  else
    respond(told.edge);
  advance();
}

void WritePath::advance() {
  for (bool more = true; more;) {
    more = fill();
    while (ask() || convert() || issue() || start_run() || issue_run()) more = true;
    more |= beats_.flow(*tells_);
    more |= answer();
  }
}

bool WritePath::issue_run() {
  if (!runs_.has_room()) return false;
  const bool last = script_->issue();
  runs_.issue(last);
  if (last) tells_->push_back({What::issued, 0, runs_.issued()});
  return true;
}

// Into the writer's buffer.
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
    if (!runs_.coder_waits() || (!open_ && filled_.empty())) return false;
    from = runs_.at_coder() + 1;
    if (!open_) from = std::max(from, filled_.front() + 1);
  }
  if (!encoder_.enter(from)) return false;
  const timing::Edge read = encoder_.last_entered();
  if (!encoding_) {
    runs_.pop_coder(read);
    if (!open_) filled_.pop();
    open_ = true;
  }
  const WriteScript::Beats beat = script_->encode();
  encoding_ = !beat.ends_run;
  if (!beat.ends_tile) return true;
  tells_->push_back({What::freed, 0, read});
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
  if (next_.beats > 0 || !runs_.manager_waits()) return false;
  const timing::Edge popped = std::max(runs_.at_manager() + 1, issued_ + 1);
  runs_.pop_manager(popped);
  issued_ = popped - 1;
  next_ = script_->take_burst();
  return true;
}

// A burst whose beats are all in the buffer.
bool WritePath::issue() {
  if (next_.beats == 0 || !channel_.has_room()) return false;
  const std::int64_t before = bursts_issued_ - config_.outstanding;
  if (accepted_.count() < beats_issued_ + next_.beats || answered_.count() <= before) return false;
  const timing::Edge buffered = accepted_[beats_issued_ + next_.beats - 1];
  issued_ = std::max({issued_ + 1, buffered + 1, answered_[before] + 1, channel_.room()});
  channel_.push(issued_, next_.lane, next_.beats);
  beats_.send(next_.beats, issued_);
  to_answer_.push({config_.parts(next_.lane, next_.beats), next_.ends_tile});
  beats_issued_ += next_.beats;
  ++bursts_issued_;
  next_ = next_.ends_run ? BurstScript::Burst{} : script_->take_burst();
  return true;
}

// The width converter has a place for it.
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
  tells_->push_back({What::asked, part.beats, part.granted + 1});
  return true;
}

// To bursts whose last beats were popped.
bool WritePath::answer() {
  timing::Queue<timing::Edge>& written = beats_.written();
  if (written.empty()) return false;
  if (!config_.write_latency) return written.clear(), false;
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
  const timing::Edge place = place_free(response_crossed_[b - config_.depth],
                                        [this](timing::Edge e) { return config_.clocks.seen_by_port(e); });
  const timing::Edge written =
      response_written_.add(std::max({joined_.last() + 1, response_written_.last() + 1, place}));
  const timing::Edge crossed = response_crossed_.add(
      std::max({config_.clocks.seen_by_fabric(written), response_crossed_.last() + 1, answered_[b - 2] + 1}));
  answered_.add(std::max(crossed + 1, answered_.last() + 1));
  if (answer.ends_tile) tells_->push_back({What::ended, 0, answered_.last()});
  to_answer_.pop();
}

timing::Edge WritePath::near() const {
  if (beats_.last_popped() >= 0) return beats_.last_popped();
  const timing::Edge fabric = std::max(issued_, encoder_.last_entered());
  return fabric >= 0 ? config_.clocks.to_port.floor(fabric) : 0;
}

template <class Picture>
void WritePath::show(Picture& picture) {
  picture.fabric(issued_);
  picture.number(next_.lane), picture.number(next_.beats), picture.number(next_.ends_run);
  picture.number(next_.ends_tile);
  const BurstChannel::Next next = channel_.show(picture, issued_);
  show_encoder(picture);
  runs_.show(picture, {issued_ + 1, encoder_.last_entered() + 1, config_.clocks.after(beats_.decided())});
  show_responses(picture, next);
}

// Beats, counted from those that were sent.
template <class Picture>
void WritePath::show_encoder(Picture& picture) {
  beats_.show(picture, accepted_.count() - buffer_beats_, accepted_.last());
  const std::int64_t sent = beats_.sent().count();
  std::int64_t unsent = beats_issued_ - sent, buffered = accepted_.count() - beats_issued_;
  std::int64_t unaccepted = encoder_.left() - accepted_.count();
  picture.number(unsent), picture.number(buffered), picture.number(unaccepted);
  beats_issued_ = sent + unsent;
  const std::int64_t accepted = beats_issued_ + buffered;
  const timing::Edge floor = picture.taken() ? std::min(issued_, accepted_[accepted - 2] - 1) : 0;
  picture.fabric(accepted_, std::min(beats_issued_, accepted - 2), accepted, floor);
  encoder_.show(picture, accepted + unaccepted, unaccepted);
  picture.number(open_), picture.number(encoding_);
  const timing::Edge entered = encoder_.last_entered();
  picture.queue(filled_, [&](timing::Edge& filled) { picture.fabric(filled, entered); });
}

// The next response leaves the memory behind the last one, and each stage an edge later at the earliest.
template <class Picture>
void WritePath::show_responses(Picture& picture, const BurstChannel::Next& next) {
  picture.queue(to_answer_, [&](Answer& answer) { picture.number(answer.parts), picture.number(answer.ends_tile); });
  std::int64_t unconverted = bursts_issued_ - bursts_converted_, unanswered = parts_asked_ - responded_.count();
  picture.number(unconverted), picture.number(unanswered);
  if (!picture.taken()) {
    bursts_issued_ = static_cast<std::int64_t>(to_answer_.size());
    bursts_converted_ = bursts_issued_ - unconverted;
    parts_asked_ = unanswered;
  }
  const std::int64_t part = parts_asked_ - unanswered;
  const std::int64_t burst = bursts_issued_ - static_cast<std::int64_t>(to_answer_.size());
  const timing::Edge last = picture.taken() ? responded_.last() : 0;
  timing::Edge crossed = timing::kLongAgo, answered = timing::kLongAgo;
  if (picture.taken() && last >= 0) {
    if (last + 5 >= config_.clocks.stages) crossed = config_.clocks.to_fabric.floor(last + 5 - config_.clocks.stages);
    answered = config_.clocks.seen_by_fabric(last + 5) - 1;
  }
  picture.port(responded_, part - 1, part, timing::kLongAgo);
  picture.port(returned_, std::min(parts_asked_ - config_.port_outstanding, part - 2), part,
               std::min(next.granted, last));
  picture.port(gathered_, part - 2, part, last + 1);
  picture.port(joined_, std::min(bursts_converted_ - config_.port_outstanding, burst - 1), burst,
               std::min(next.taken, last + 1));
  picture.port(response_written_, burst - 2, burst, last + 1);
  picture.fabric(response_crossed_, burst - config_.depth, burst, crossed);
  picture.fabric(answered_, std::min(bursts_issued_ - config_.outstanding, burst - 2), burst,
                 std::min(issued_, answered));
}

template void WritePath::show(TakenPicture&);
template void WritePath::show(PutBackPicture&);

}  // namespace fansim::tiled
