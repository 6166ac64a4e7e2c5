// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/read_path.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::tiled {

ReadPath::ReadPath(const PathConfig& config, int gap, timing::Memory& memory, int port)
    : config_(config),
      gap_(gap),
      memory_(memory),
      port_(port),
      reader_popped_(4),
      decoder_popped_(4),
      channel_(config),
      burst_spread_(config.port_outstanding + 1),
      burst_taken_(config.outstanding + 1),
      part_returned_(config.port_outstanding + 1),
      places_(config.depth + 1),
      outruns_(config.outruns()) {}

void ReadPath::push(const ReadRun& run, timing::Edge pushed) {
  to_read_.push({run, pushed});
  to_decode_.push({run, pushed});
  ++runs_;
  if (to_decode_.size() == 1 && beats_left_ == 0) start_decoding();
}

bool ReadPath::advance() {
  bool any = false;
  while (ask() || issue() || start_run()) any = true;
  return any;
}

bool ReadPath::start_run() {
  if (to_issue_ > 0 || to_read_.empty()) return false;
  const Run& run = to_read_.front();
  const timing::Edge popped = reader_popped_.add(std::max(run.pushed + 1, issued_ + 1));
  address_ = run.run.address;
  to_issue_ = run.run.beats;
  issued_ = popped - 1;
  to_read_.pop();
  return true;
}

// The reader's next burst, and the width converter's place for it.
bool ReadPath::issue() {
  if (to_issue_ == 0 || channel_.has_part() || !channel_.has_room()) return false;
  const std::int64_t b = bursts_issued_, before = b - config_.outstanding, placed = b - config_.port_outstanding;
  if (bursts_taken_ <= before || bursts_spread_ <= placed) return false;
  const int length = rules::burst_beats(address_, to_issue_, config_.axi);
  issued_ = std::max({issued_ + 1, burst_taken_[before] + 1, channel_.room()});
  channel_.push(issued_, address_, length);
  channel_.take(burst_spread_[placed]);
  to_issue_ -= length;
  to_spread_.push({address_, length, to_issue_ == 0});
  to_take_.push(to_spread_.back());
  address_ += static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(config_.manager_bytes);
  ++bursts_issued_;
  return true;
}

bool ReadPath::ask() {
  if (!channel_.has_part()) return false;
  const std::int64_t before = parts_asked_ - config_.port_outstanding;
  if (parts_returned_ <= before) return false;
  const BurstPart part = channel_.grant(part_returned_[before]);
  to_return_.push(part.beats);
  ++parts_asked_;
  memory_.read(port_, *this, part.granted + 1, static_cast<std::uint32_t>(part.address), part.beats);
  return true;
}

timing::Edge ReadPath::data(int beats, timing::Edge from) {
  for (int k = 0; k < beats; ++k) {
    sent_ = std::max({from + k, sent_ + 1, returned_.room()});
    returned_.add(std::max({sent_ + 1, returned_.last + 1, geared_.room()}));
    if (--to_return_.front() == 0) {
      to_return_.pop();
      part_returned_.add(returned_.last);
      ++parts_returned_;
    }
    if (config_.up())
      spread();
    else if (gather() && sent_ == from + k)
      k += skip(beats - k - 1);
  }
  return sent_;
}

// Where the manager takes beats as fast as they come, none ever waits, and none has to be looked at. Of the `beats`
// that follow one per edge, so many are left out; those before the end of a burst or run are not.
int ReadPath::skip(int beats) {
  if (!outruns_ || run_.scattered || to_take_.empty()) return 0;
  const int ratio = config_.manager_bytes / config_.port_bytes;
  const int count = std::min({to_take_.front().beats, beats_left_, beats / ratio}) - kLookedAt;
  if (count <= 0 || !unobstructed()) return 0;
  sent_ += count * ratio;
  for (timing::Pops* edges : {&returned_, &geared_, &written_, &taken_, &decoded_}) *edges = {};
  narrow_ = crossed_ = timing::kLongAgo;
  places_.add_same(count, timing::kLongAgo);
  to_return_.front() -= count * ratio;
  to_spread_.front().beats -= count;
  to_take_.front().beats -= count;
  beats_left_ -= count;
  beats_taken_ += count;
  return count * ratio;
}

// The last beat waited nowhere, and places of the crossing will be free when the next ones need them.
bool ReadPath::unobstructed() const {
  const timing::Edge written = written_.last, ratio = config_.manager_bytes / config_.port_bytes;
  if (written != sent_ + 4 || crossed_ != config_.clocks.seen_by_fabric(written) || decoded_.last != crossed_ + 2)
    return false;
  for (int back = 0; back < config_.depth; ++back)
    if (places_[places_.count() - 1 - back] > written + ratio * (config_.depth - back)) return false;
  return true;
}

// One beat of the port makes several of the manager.
void ReadPath::spread() {
  Burst& burst = to_spread_.front();
  geared_.add(std::max({returned_.last + 1, geared_.last + 1, narrow_}));
  timing::Edge earliest = geared_.last + 1;
  const int lane = static_cast<int>(burst.address % static_cast<std::uint64_t>(config_.port_bytes));
  const int count = std::min(burst.beats, (config_.port_bytes - lane) / config_.manager_bytes);
  burst.address += static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(config_.manager_bytes);
  burst.beats -= count;
  for (int i = 0; i < count; ++i) {
    narrow(std::max(earliest, written_.room()));
    earliest = narrow_ + 1;
  }
  if (burst.beats > 0) return;
  burst_spread_.add(narrow_), ++bursts_spread_;
  to_spread_.pop();
}

// Several beats of the port make one of the manager; true if this was the last of them.
bool ReadPath::gather() {
  geared_.add(std::max({returned_.last + 1, geared_.last + 1, lanes_ == 0 ? narrow_ : timing::kLongAgo}));
  lanes_ += config_.port_bytes;
  if (lanes_ < config_.manager_bytes) return false;
  lanes_ = 0;
  if (--to_spread_.front().beats == 0) {
    burst_spread_.add(geared_.last), ++bursts_spread_;
    to_spread_.pop();
  }
  narrow(std::max(geared_.last + 1, written_.room()));
  return true;
}

// A beat of the manager's width, which leaves the width converter at `sent`, through clock crossing and reader.
void ReadPath::narrow(timing::Edge sent) {
  narrow_ = sent;
  written_.add(std::max({sent + 1, written_.last + 1, places_[places_.count() - config_.depth]}));
  crossed_ = std::max({config_.clocks.seen_by_fabric(written_.last), crossed_ + 1, taken_.room()});
  places_.add(config_.clocks.seen_by_port(crossed_));
  taken_.add(std::max({crossed_ + 1, taken_.last + 1, take_from_, decoded_.room()}));
  ++beats_taken_;
  decode();
  if (--to_take_.front().beats > 0) return;
  take_from_ = taken_.last + 1 + gap_;
  burst_taken_.add(taken_.last), ++bursts_taken_;
  to_take_.pop();
}

void ReadPath::start_decoding() {
  const Run& next = to_decode_.front();
  run_ = next.run;
  beats_left_ = run_.beats, values_left_ = run_.values, skip_ = run_.skip;
  decode_from_ = decoder_popped_.add(std::max(next.pushed + 1, decoded_.last + 1));
  to_decode_.pop();
}

void ReadPath::decode() {
  timing::Edge popped = std::max({taken_.last + 1, decoded_.last + 1, decode_from_});
  if (run_.scattered) {
    const int values = std::min(values_left_, run_.per_beat - skip_);
    popped += values - 1;
    values_left_ -= values;
    skip_ = 0;
  }
  decoded_.add(popped);
  if (--beats_left_ > 0) return;
  if (run_.last) ends_.push(popped);
  if (!to_decode_.empty()) start_decoding();
}

}  // namespace fansim::tiled
