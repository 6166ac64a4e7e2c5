// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/read_path.h"

#include <algorithm>

namespace fansim::tiled {

using What = PathStep::What;

ReadPath::ReadPath(const PathConfig& config, int gap)
    : config_(config),
      channel_(config),
      burst_spread_(config.port_outstanding + 1),
      burst_taken_(config.outstanding + 1),
      part_returned_(config.port_outstanding + 1),
      beats_(config, gap) {}

void ReadPath::follow(const PathStep& told, ReadScript& script, PathSteps& tells) {
  script_ = &script, tells_ = &tells;
  if (told.what == What::begin)
    runs_.begin_tile(told.edge);
  else
    data(told.beats, told.edge);
  while (ask() || issue() || start_run() || issue_run()) {
  }
}

bool ReadPath::issue_run() {
  if (!runs_.has_room()) return false;
  const bool last = script_->issue();
  runs_.issue(last);
  if (last) tells_->push_back({What::issued, 0, runs_.issued()});
  if (!decoding_) start_decoding();
  return true;
}

bool ReadPath::start_run() {
  if (issuing_ || !runs_.manager_waits()) return false;
  const timing::Edge popped = std::max(runs_.at_manager() + 1, issued_ + 1);
  runs_.pop_manager(popped);
  issuing_ = true;
  issued_ = popped - 1;
  return true;
}

// The reader's next burst, and the width converter's place for it.
bool ReadPath::issue() {
  if (!issuing_ || channel_.has_part() || !channel_.has_room()) return false;
  const std::int64_t b = bursts_issued_, before = b - config_.outstanding, placed = b - config_.port_outstanding;
  if (burst_taken_.count() <= std::max(before, placed)) return false;
  const BurstScript::Burst burst = script_->take_burst();
  issued_ = std::max({issued_ + 1, burst_taken_[before] + 1, channel_.room()});
  channel_.push(issued_, burst.lane, burst.beats);
  channel_.take(burst_spread_[placed]);
  issuing_ = !burst.ends_run;
  in_flight_.push({burst.lane, burst.beats, burst.ends_run, burst.ends_tile});
  ++bursts_issued_;
  return true;
}

bool ReadPath::ask() {
  if (!channel_.has_part()) return false;
  const std::int64_t before = parts_asked_ - config_.port_outstanding;
  if (part_returned_.count() <= before) return false;
  const BurstChannel::Part part = channel_.grant(part_returned_[before]);
  to_return_.push({part.beats, part.granted + 1});
  ++parts_asked_;
  tells_->push_back({What::asked, part.beats, part.granted + 1});
  return true;
}

void ReadPath::data(int beats, timing::Edge from) {
  ReadBeats::Burst& burst = in_flight_.front();
  beats_.pass(beats, from, burst);
  tells_->push_back({What::sent, beats, beats_.sent()});
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
  if (burst.ends_tile) tells_->push_back({What::ended, 0, beats_.decoded()});
  if (!burst.ends_run) return;
  decoding_ = false;
  if (runs_.coder_waits()) start_decoding();
}

void ReadPath::start_decoding() {
  const Decoding run = script_->decode();
  decoding_ = true;
  runs_.pop_coder(beats_.decode(run, runs_.at_coder()));
}

timing::Edge ReadPath::near() const {
  if (beats_.sent() >= 0) return beats_.sent();
  return issued_ >= 0 ? config_.clocks.to_port.floor(issued_) : 0;
}

template <class Picture>
void ReadPath::show(Picture& picture) {
  picture.fabric(issued_);
  picture.number(issuing_), picture.number(decoding_);
  runs_.show(picture, {issued_ + 1, beats_.decoded() + 1, config_.clocks.after(decided_)});
  const BurstChannel::Next next = channel_.show(picture, issued_);

  picture.queue(in_flight_, [&](ReadBeats::Burst& burst) {
    picture.number(burst.lane), picture.number(burst.beats);
    picture.number(burst.ends_run), picture.number(burst.ends_tile);
  });
  picture.queue(to_return_, [&](Returning& part) { picture.number(part.beats); });
  if (!picture.taken()) {
    bursts_issued_ = static_cast<std::int64_t>(in_flight_.size());
    parts_asked_ = static_cast<std::int64_t>(to_return_.size());
  }
  const std::int64_t taken = bursts_issued_ - static_cast<std::int64_t>(in_flight_.size());
  const std::int64_t returned = parts_asked_ - static_cast<std::int64_t>(to_return_.size());
  picture.port(burst_spread_, std::min(bursts_issued_ - config_.port_outstanding, taken), taken, next.taken);
  picture.fabric(burst_taken_, std::min(bursts_issued_ - config_.outstanding, taken), taken, issued_);
  picture.port(part_returned_, std::min(parts_asked_ - config_.port_outstanding, returned), returned, next.granted);
  beats_.show(picture);
}

template void ReadPath::show(TakenPicture&);
template void ReadPath::show(PutBackPicture&);

}  // namespace fansim::tiled
