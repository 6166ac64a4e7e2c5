// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/read_path.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::timing {

ReadPath::ReadPath(const PathConfig& config, int gap, MemoryPorts& memory, int port)
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
      returned_(4),
      geared_(4),
      narrow_(4),
      written_(4),
      crossed_(config.depth + 2),
      taken_(4),
      decoded_(4),
      outruns_(config.outruns()) {}

void ReadPath::push(const ReadRun& run, Edge pushed) {
  to_read_.push_back({run, pushed});
  to_decode_.push_back({run, pushed});
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
  const Edge popped = reader_popped_.add(std::max(run.pushed + 1, issued_ + 1));
  address_ = run.run.address;
  to_issue_ = run.run.beats;
  issued_ = popped - 1;
  to_read_.pop_front();
  return true;
}

// The reader's next burst, and the width converter's place for it.
bool ReadPath::issue() {
  if (to_issue_ == 0 || channel_.has_part()) return false;
  const std::int64_t b = bursts_issued_, before = b - config_.outstanding, placed = b - config_.port_outstanding;
  if (bursts_taken_ <= before || bursts_spread_ <= placed) return false;
  const int length = rules::burst_beats(address_, to_issue_, config_.axi);
  issued_ = std::max({issued_ + 1, burst_taken_[before] + 1, channel_.room()});
  channel_.push(issued_, address_, length, burst_spread_[placed]);
  to_issue_ -= length;
  to_spread_.push_back({address_, length, to_issue_ == 0});
  to_take_.push_back(to_spread_.back());
  address_ += static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(config_.manager_bytes);
  ++bursts_issued_;
  return true;
}

bool ReadPath::ask() {
  if (!channel_.has_part()) return false;
  const std::int64_t before = parts_asked_ - config_.port_outstanding;
  if (parts_returned_ <= before) return false;
  const BurstPart part = channel_.part(part_returned_[before]);
  to_return_.push_back(part.beats);
  ++parts_asked_;
  memory_.read(port_, *this, part.granted + 1, static_cast<std::uint32_t>(part.address), part.beats);
  return true;
}

Edge ReadPath::data(int beats, Edge from) {
  for (int k = 0; k < beats; ++k) {
    const std::int64_t j = returned_.count();
    sent_ = std::max({from + k, sent_ + 1, returned_[j - 2] + 1});
    const Edge returned = returned_.add(std::max({sent_ + 1, returned_.last() + 1, geared_[j - 2] + 1}));
    if (--to_return_.front() == 0) {
      to_return_.pop_front();
      part_returned_.add(returned);
      ++parts_returned_;
    }
    if (config_.up())
      spread(returned);
    else
      gather(returned);
    if (sent_ == from + k && lanes_ == 0 && !config_.up()) k += skip(beats - k - 1);
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
  for (History* edges : {&returned_, &geared_}) edges->add_same(count * ratio, kLongAgo);
  for (History* edges : {&narrow_, &written_, &crossed_, &taken_, &decoded_}) edges->add_same(count, kLongAgo);
  to_return_.front() -= count * ratio;
  to_spread_.front().beats -= count;
  to_take_.front().beats -= count;
  beats_left_ -= count;
  beats_taken_ += count;
  return count * ratio;
}

// The last beat waited nowhere, and places of the crossing will be free when the next ones need them.
bool ReadPath::unobstructed() const {
  const Edge written = written_.last(), crossed = crossed_.last();
  if (written != sent_ + 4 || crossed != config_.clocks.seen_by_fabric(written) || decoded_.last() != crossed + 2)
    return false;
  const int ratio = config_.manager_bytes / config_.port_bytes;
  for (int back = 0; back < config_.depth; ++back) {
    const Edge before = crossed_[crossed_.count() - 1 - back];
    if (before == kLongAgo) continue;
    if (config_.clocks.seen_by_port(before) > written + Edge{ratio} * (config_.depth - back)) return false;
  }
  return true;
}

// One beat of the port makes several of the manager.
void ReadPath::spread(Edge returned) {
  Burst& burst = to_spread_.front();
  Edge before = geared_.add(std::max({returned + 1, geared_.last() + 1, narrow_.last()}));
  int lane = static_cast<int>(burst.address % static_cast<std::uint64_t>(config_.port_bytes));
  while (burst.beats > 0 && lane < config_.port_bytes) {
    narrow_.add(std::max(before + 1, written_[narrow_.count() - 2] + 1));
    before = narrow_.last();
    lane += config_.manager_bytes;
    burst.address += static_cast<std::uint64_t>(config_.manager_bytes);
    if (--burst.beats == 0) burst_spread_.add(before), ++bursts_spread_;
    narrow(before);
  }
  if (burst.beats == 0) to_spread_.pop_front();
}

// Several beats of the port make one of the manager.
void ReadPath::gather(Edge returned) {
  Burst& burst = to_spread_.front();
  const Edge free = lanes_ == 0 ? narrow_.last() : kLongAgo;
  const Edge geared = geared_.add(std::max({returned + 1, geared_.last() + 1, free}));
  lanes_ += config_.port_bytes;
  if (lanes_ < config_.manager_bytes) return;
  lanes_ = 0;
  if (--burst.beats == 0) {
    burst_spread_.add(geared), ++bursts_spread_;
    to_spread_.pop_front();
  }
  narrow(narrow_.add(std::max(geared + 1, written_[narrow_.count() - 2] + 1)));
}

// A beat of the manager's width through the clock crossing and the reader.
void ReadPath::narrow(Edge sent) {
  const std::int64_t i = written_.count();
  const Edge place = place_free(crossed_[i - config_.depth], [this](Edge e) { return config_.clocks.seen_by_port(e); });
  const Edge written = written_.add(std::max({sent + 1, written_.last() + 1, place}));
  const Edge crossed =
      crossed_.add(std::max({config_.clocks.seen_by_fabric(written), crossed_.last() + 1, taken_[i - 2] + 1}));
  const Edge taken = taken_.add(std::max({crossed + 1, taken_.last() + 1, take_from_, decoded_[i - 2] + 1}));
  ++beats_taken_;
  Burst& burst = to_take_.front();
  if (--burst.beats == 0) {
    take_from_ = taken + 1 + gap_;
    burst_taken_.add(taken), ++bursts_taken_;
    to_take_.pop_front();
  }
  decode(taken);
}

void ReadPath::start_decoding() {
  const Run& next = to_decode_.front();
  run_ = next.run;
  beats_left_ = run_.beats, values_left_ = run_.values, skip_ = run_.skip;
  decode_from_ = decoder_popped_.add(std::max(next.pushed + 1, decoded_.last() + 1));
  to_decode_.pop_front();
}

void ReadPath::decode(Edge handed) {
  Edge popped = std::max({handed + 1, decoded_.last() + 1, decode_from_});
  if (run_.scattered) {
    const int values = std::min(values_left_, run_.per_beat - skip_);
    popped += values - 1;
    values_left_ -= values;
    skip_ = 0;
  }
  decoded_.add(popped);
  if (--beats_left_ > 0) return;
  if (run_.last) ends_.push_back(popped);
  if (!to_decode_.empty()) start_decoding();
}

}  // namespace fansim::timing
