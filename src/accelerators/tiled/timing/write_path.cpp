// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/write_path.h"

#include <algorithm>

#include "accelerators/tiled/config/packing.h"
#include "rules/burst.h"

namespace fansim::tiled {

WritePath::WritePath(const PathConfig& config, const Encoding& encoding, timing::Memory& memory)
    : config_(config),
      encoding_(encoding),
      buffer_beats_(2 * config.axi.burst_beats),
      memory_(memory),
      channel_(config),
      accepted_(buffer_beats_ + 4),
      beats_(config, buffer_beats_ + 4),
      returned_(config.port_outstanding + 2),
      joined_(config.port_outstanding + 2),
      response_crossed_(config.depth + 2),
      answered_(config.outstanding + 2) {}

void WritePath::push(const tiled::Run& run, timing::Edge pushed) {
  to_encode_.push({run, pushed});
  to_write_.push({run, pushed});
  ++runs_;
  changed_ = true;
  bytes_ += strobed_bytes(encoding_, run);
}

bool WritePath::advance() {
  const bool any = changed_;
  while (changed_) {
    changed_ = false;
    changed_ |= fill();
    while (ask() || convert() || issue() || start_run()) changed_ = true;
    changed_ |= beats_.flow();
    while (!beats_.popped().empty()) {
      const WriteBeats::Popped popped = beats_.popped().pop();
      memory_.written(kPort, popped.beats, popped.edge);
    }
  }
  return any;
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
  if (to_read_ == 0) {
    if (to_encode_.empty() || (!open_ && filled_.empty())) return false;
    from = to_encode_.front().pushed + 1;
    if (!open_) from = std::max(from, filled_.front() + 1);
  }
  if (!encoder_.enter(from)) return false;
  const timing::Edge read = encoder_.entered(encoder_.entered() - 1);
  const Run& run = to_encode_.front();
  if (to_read_ == 0) {
    encoder_popped_.add(read);
    to_read_ = run.run.beats;
    if (!open_) filled_.pop();
    open_ = true;
  }
  if (--to_read_ > 0) return true;
  if (run.run.last) {
    freed_.push(read);
    open_ = false;
  }
  to_encode_.pop();
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
  if (to_issue_ > 0 || to_write_.empty()) return false;
  const Run& run = to_write_.front();
  issued_ = writer_popped_.add(std::max(run.pushed + 1, issued_ + 1)) - 1;
  address_ = run.run.address;
  to_issue_ = run.run.beats;
  ends_tile_ = run.run.last;
  to_write_.pop();
  return true;
}

// A burst whose beats are all in the buffer.
bool WritePath::issue() {
  if (to_issue_ == 0 || !channel_.has_room()) return false;
  const int length = rules::burst_beats(address_, to_issue_, config_.axi);
  const std::int64_t before = bursts_issued_ - config_.outstanding;
  if (accepted_.count() < beats_issued_ + length || answered_.count() <= before) return false;
  const timing::Edge buffered = accepted_[beats_issued_ + length - 1];
  issued_ = std::max({issued_ + 1, buffered + 1, answered_[before] + 1, channel_.room()});
  channel_.push(issued_, address_, length);
  beats_.send(length, issued_);
  to_issue_ -= length;
  to_answer_.push({config_.parts(address_, length), to_issue_ == 0 && ends_tile_});
  address_ += static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(config_.manager_bytes);
  beats_issued_ += length;
  ++bursts_issued_;
  return true;
}

// The width converter has a place for it.
bool WritePath::convert() {
  const std::int64_t placed = bursts_converted_ - config_.port_outstanding;
  if (!channel_.has_burst() || joined_.count() <= placed) return false;
  const BurstChannel::Burst burst = channel_.take(joined_[placed]);
  beats_.convert(burst.address, burst.beats, burst.taken);
  ++bursts_converted_;
  return true;
}

bool WritePath::ask() {
  if (!channel_.has_part()) return false;
  const std::int64_t before = parts_asked_ - config_.port_outstanding;
  if (returned_.count() <= before) return false;
  const BurstPart part = channel_.grant(returned_[before]);
  ++parts_asked_;
  beats_.grant(part.beats, part.granted);
  memory_.write(kPort, *this, part.granted + 1, static_cast<std::uint32_t>(part.address), part.beats);
  return true;
}

void WritePath::take(timing::Edge from) {
  beats_.take(from);
  changed_ = true;
}

void WritePath::respond(timing::Edge from) {
  changed_ = true;
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
  if (answer.ends_tile) ends_.push(answered_.last());
  to_answer_.pop();
}

}  // namespace fansim::tiled
