// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/read_path.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::tiled {

ReadPath::ReadPath(const PathConfig& config, int gap, timing::Memory& memory, int port)
    : config_(config),
      memory_(memory),
      port_(port),
      reader_popped_(4),
      decoder_popped_(4),
      channel_(config),
      burst_spread_(config.port_outstanding + 1),
      burst_taken_(config.outstanding + 1),
      part_returned_(config.port_outstanding + 1),
      beats_(config, gap) {}

void ReadPath::push(const ReadRun& run, timing::Edge pushed) {
  changed_ = true;
  to_read_.push({run, pushed});
  to_decode_.push({run, pushed});
  ++runs_;
  if (!decoding_) start_decoding();
}

void ReadPath::ask_all() {
  while (ask() || issue() || start_run()) {
  }
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
  if (bursts_taken_ <= std::max(before, placed)) return false;
  const int length = rules::burst_beats(address_, to_issue_, config_.axi);
  issued_ = std::max({issued_ + 1, burst_taken_[before] + 1, channel_.room()});
  channel_.push(issued_, address_, length);
  channel_.take(burst_spread_[placed]);
  to_issue_ -= length;
  in_flight_.push({address_, length, to_issue_ == 0});
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
  ReadBurst& burst = in_flight_.front();
  const int before = burst.beats;
  beats_.pass(beats, from, burst);
  beats_taken_ += before - burst.beats;
  if ((to_return_.front() -= beats) == 0) {
    to_return_.pop();
    part_returned_.add(beats_.returned());
    ++parts_returned_;
    changed_ = true;
  }
  if (burst.beats == 0) end_burst();
  return beats_.sent();
}

void ReadPath::end_burst() {
  burst_spread_.add(beats_.spread());
  burst_taken_.add(beats_.taken());
  ++bursts_taken_;
  beats_.end_burst();
  changed_ = true;
  if (!in_flight_.pop().ends_run) return;
  if (ends_tile_) ends_.push(beats_.decoded());
  decoding_ = false;
  if (!to_decode_.empty()) start_decoding();
}

void ReadPath::start_decoding() {
  const Run next = to_decode_.pop();
  decoding_ = true;
  ends_tile_ = next.run.last;
  decoder_popped_.add(beats_.decode(next.run, next.pushed));
}

}  // namespace fansim::tiled
