// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/output_path.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rules/burst.h"

namespace fansim::stream {

namespace {
// A register write over the writer's AXI-Lite port: it acts an edge after it is pushed, the response is popped another
// edge later.
constexpr timing::Edge kActs = 1, kAnswered = 2;
// From the push of a burst's address to the decision on it, on a free bus.
constexpr timing::Edge kGranted = 2;
// From a transfer's last response to the writer's next act: the registers count the completion an edge later, the
// writer sees the interrupt, and an edge after that clears it.
constexpr timing::Edge kCleared = 3;
// Nothing is learnt of a transfer that a read, or a refresh, holds up for longer.
constexpr std::size_t kMostHeldUp = 1024;
}  // namespace

OutputPath::OutputPath(const Config& config, timing::Memory& memory, KnownTransfers known)
    : dma_(config.dma),
      axi_(config.axi),
      word_bytes_(config.array.word_bytes()),
      pixel_bytes_(config.array.pixel_bytes()),
      packs_(std::max(axi_.beat_bytes() / word_bytes_, 1)),
      burst_mask_(rules::BurstStarts::fill(axi_) ? axi_.burst_beats * axi_.beat_bytes() - 1 : -1),
      memory_(memory),
      kinds_(std::move(known)) {}

void OutputPath::tile(const Command& job, std::uint32_t address, timing::Edge edge) {
  tiles_.push({shape_of(job, word_bytes_, pixel_bytes_), job.row_pitch, job.plane_pitch, address, edge});
  if (!busy_) begin_tile();
}

void OutputPath::begin_tile() {
  busy_ = true;
  tile_ = tiles_.pop();
  address_ = std::max(tile_.edge + 1, free_) + 1;
  stream_beats_ = rules::beats_of(tile_.shape.bytes, axi_);
  words_ = tile_.shape.bytes / word_bytes_;
  whole_beats_ = packs_ > 1 ? words_ / packs_ : stream_beats_;
  bytes_ += std::int64_t{tile_.shape.bytes} * tile_.shape.rows * tile_.shape.planes;
  row_ = plane_ = 0;
  destination_ = row_address_ = tile_.address;
  begin_transfer();
}

// Destination and length are written one after the other; the writer reads its first word at the edge at which the
// second response is back. A boundary between bursts that would be there anyway is none.
inline void OutputPath::begin_transfer() {
  const std::int64_t bytes = tile_.shape.bytes, offset = rules::in_beat(destination_, axi_);
  const std::int64_t in_space = destination_ % rules::kBurstBoundary;
  const bool crosses = in_space + bytes > rules::kBurstBoundary && ((in_space - offset) & burst_mask_) != 0;
  const std::int64_t key = bytes << 13 | (crosses ? rules::kBurstBoundary | in_space : offset);
  if (key_ != key) kind_ = kind_by(key);
  begun_ = false;
}

KnownTransfer* OutputPath::kind_by(std::int64_t key) {
  key_ = key;
  return &kinds_.find(key, [this] {
    KnownTransfer kind;
    kind.realigned = rules::in_beat(destination_, axi_) != 0;
    kind.beats = rules::beats_of(destination_, tile_.shape.bytes, axi_);
    return kind;
  });
}

inline void OutputPath::end_transfer(timing::Edge answered) {
  const timing::Edge cleared = answered + kCleared;
  address_ = cleared + kAnswered;
  if (++plane_ < tile_.shape.planes) {
    destination_ += static_cast<std::uint32_t>(tile_.plane_pitch);
    return begin_transfer();
  }
  plane_ = 0;
  if (++row_ < tile_.shape.rows) {
    destination_ = row_address_ += static_cast<std::uint32_t>(tile_.row_pitch);
    return begin_transfer();
  }
  end_tile(cleared);
}

void OutputPath::end_tile(timing::Edge cleared) {
  fetched_ = cleared;
  ++tiles_sent_;
  free_ = cleared + kAnswered;
  busy_ = false;
  if (!tiles_.empty()) begin_tile();
}

bool OutputPath::ask_all(timing::Edge read_arrives) {
  timing::Edge until = timing::kNever, began = 0;
  const KnownTransfer* made = nullptr;
  for (const std::int64_t tiles = tiles_sent_; tiles_sent_ == tiles && known();) {
    const KnownTransfer::Outcome& quiet = *kind_->quiet;
    const timing::Edge first = address_ + quiet.write.first;
    if (dma_.s2mm_gap > 0 && idle_from_ + kGranted > first) break;
    if (!made) until = memory_.quiet_until(first, read_arrives);
    if (address_ + quiet.write.last > until) break;
    made = kind_, began = address_;
    idle_from_ = began + quiet.idle_from;
    end_transfer(began + quiet.answered);
  }
  if (!made) return meet();
  timing::WholeWrite last = made->quiet->write;
  last.shift(began);
  memory_.write_all(last);
  responded_ = began + made->quiet->answered - 1;
  return true;
}

bool OutputPath::meet() {
  if (!busy_ || begun_) return false;
  meets_ = false;
  const KnownTransfer& kind = *kind_;
  if (kind.bursts.empty()) return false;
  const timing::Edge seen = address_ + kind.bursts.front().pushed + kGranted;
  meets_ = memory_.meets(seen, meeting_);
  if (!meets_) return false;
  const auto held_up = static_cast<std::size_t>(meeting_.at - seen);
  if (held_up > kMostHeldUp) meets_ = false;
  if (held_up >= kind.met.size() || !kind.met[held_up]) return false;
  const auto& [outcome, beats] = *kind.met[held_up];
  timing::WholeWrite write = outcome.write;
  write.shift(address_);
  if (!memory_.meet(meeting_, beats, write)) return false;
  idle_from_ = address_ + outcome.idle_from;
  responded_ = address_ + outcome.answered - 1;
  end_transfer(address_ + outcome.answered);
  return true;
}

// What came of the transfer that has been answered, for others of its kind.
void OutputPath::learn(timing::Edge answered) {
  KnownTransfer& kind = *kind_;
  const std::optional<std::int64_t> beats = meets_ ? memory_.met(meeting_) : std::nullopt;
  KnownTransfer::Outcome outcome{write_, idle_from_ - address_, answered - address_};
  outcome.write.shift(-address_);
  if (quiet_ && !kind.quiet) kind.quiet = outcome;
  if (!beats) return;
  const auto held_up = static_cast<std::size_t>(meeting_.at - address_ - kind.bursts.front().pushed - kGranted);
  kinds_.learn(kind, held_up, {outcome, *beats});
}

timing::Edge OutputPath::first_decided() const {
  if (idle()) return timing::kNever;
  return known() ? address_ + kind_->quiet->write.first : timing::kLongAgo;
}

// Nothing of the transfers before is left. Those of its first bursts that are known are pushed; with the last of them
// it may end, and another begin. False: none is known.
bool OutputPath::begin_bursts() {
  begun_ = true;
  const timing::Edge length = address_ + kAnswered;
  accept_from_ = length + kActs + dma_.s2mm_start;
  issued_at_ = last_sent_ = timing::kLongAgo;
  sent_pops_ = {};
  sent_.clear();
  slots_.clear();
  unused_ = axi_.outstanding;
  quiet_ = true;
  bursts_ = 0;
  const KnownTransfer& kind = *kind_;
  realigned_ = kind.realigned, beats_ = kind.beats;
  base_ = destination_ - static_cast<std::uint32_t>(rules::in_beat(destination_, axi_));
  issued_ = 0;
  packed_ = kind.packed;
  if (kind.bursts.empty())
    packed_.packing.pushed = length + kAnswered + ArrayConfig::bram_read_latency() + 1;
  else
    packed_.packing.shift(address_);
  const auto beats = [](std::int64_t sum, const Outgoing& burst) { return sum + burst.beats; };
  all_known_ = std::accumulate(kind.bursts.begin(), kind.bursts.end(), std::int64_t{0}, beats) == beats_;
  const Outgoing* const known = kind.bursts.data();
  const std::size_t count = kind.bursts.size();
  for (std::size_t i = 0; i < count; ++i) push(known[i].beats, address_ + known[i].pushed);
  return count > 0;
}

bool OutputPath::ask() {
  if (!busy_ || (begun_ && issued_ == beats_) || (!begun_ && meets_ && meeting_.behind)) return false;
  if (!begun_ && begin_bursts()) return true;
  if (unused_ == 0 && slots_.empty()) return false;
  if (dma_.s2mm_gap > 0 && sent_.count() < issued_) return false;
  const std::uint64_t address = base_ + static_cast<std::uint64_t>(issued_ * axi_.beat_bytes());
  const int beats = rules::burst_beats(address, beats_ - issued_, axi_);
  if (!accept(std::min(issued_ + beats, stream_beats_))) return false;
  const bool free = unused_ > 0 && dma_.s2mm_gap == 0 && packed_.accepted + realigned_ <= axi_.s2mm_fifo_beats();
  timing::Edge edge = std::max(packed_.packing.accepted.last + dma_.s2mm_store, issued_at_ + 1);
  if (unused_ == 0) edge = std::max(edge, slots_.pop());
  if (dma_.s2mm_gap > 0) {
    if (issued_ == 0 && idle_from_ > edge) quiet_ = false;
    edge = std::max(edge, idle_from_);
  }
  KnownTransfer& kind = *kind_;
  if (free && kind.bursts.size() == bursts_) {
    kind.bursts.push_back({beats, edge - address_});
    kind.packed = packed_;
    kind.packed.packing.shift(-address_);
  }
  push(beats, edge);
  return true;
}

void OutputPath::push(int beats, timing::Edge edge) {
  const std::uint64_t address = base_ + static_cast<std::uint64_t>(issued_ * axi_.beat_bytes());
  unsent_.push({beats, edge});
  ++unanswered_;
  ++bursts_;
  unused_ -= unused_ > 0;
  issued_ += beats;
  issued_at_ = edge;
  memory_.write(kPort, *this, edge + 1, static_cast<std::uint32_t>(address), beats);
}

// Takes stream beats until there are so many; false if the FIFO has no room before further beats are sent.
bool OutputPath::accept(std::int64_t beats) {
  Packed& p = packed_;
  while (p.accepted < beats) {
    const std::int64_t sent_before = p.accepted + 1 + realigned_ - axi_.s2mm_fifo_beats();
    if (sent_before > sent_.count()) return false;
    timing::Edge room = accept_from_;
    std::int64_t run = 1 - sent_before;  // beats for which there is room an edge after each other
    if (sent_before > 0) {
      const BeatRuns::Run& sent = sent_.of(sent_before - 1);
      room = std::max(room, sent.at(sent_before - 1) + 1);
      run = sent.end() - (sent_before - 1);
    }
    const std::int64_t whole = std::min({run, beats - p.accepted, whole_beats_ - p.accepted});
    if (whole > 0 && p.packing.flows(packs_, room)) {
      p.packing.flow(whole, packs_, room);
      p.accepted += whole;
    } else {
      p.packing.beat(p.accepted < whole_beats_ ? packs_ : words_ % packs_, room);
      ++p.accepted;
    }
  }
  return true;
}

// Once the first beat is popped one is popped per edge: two are in the stream by then, or follow as fast.
void OutputPath::take(timing::Edge from) {
  const Outgoing burst = unsent_.pop();
  const bool first = last_sent_ == timing::kLongAgo;
  const timing::Edge granted = burst.pushed + kGranted;
  if (from != (first ? granted : std::max(granted, write_.burst.to))) quiet_ = false;
  const timing::Edge pushed = std::max({last_sent_ + 1, burst.pushed, sent_pops_.room()});
  const timing::Edge popped = std::max({pushed + 1, sent_pops_.last + 1, from});
  const timing::Edge second = std::max(pushed + 1, sent_pops_.last + 1);
  const timing::Edge third = std::max(second + 1, popped + 1);
  if (!all_known_) {  // the FIFO may have to wait for them
    sent_.append(pushed, 1);
    if (burst.beats > 1) sent_.append(second, 1);
    if (burst.beats > 2) sent_.append(third, burst.beats - 2);
  }
  last_sent_ = burst.beats == 1 ? pushed : burst.beats == 2 ? second : third + burst.beats - 3;
  sent_pops_ = {burst.beats == 1 ? sent_pops_.last : popped + burst.beats - 2, popped + burst.beats - 1};
  idle_from_ = last_sent_ + 1 + dma_.s2mm_gap;
  write_ = {first ? from : write_.first, from, {from, popped + burst.beats}};
  memory_.written(kPort, burst.beats, popped);
}

void OutputPath::respond(timing::Edge from) {
  responded_ = std::max(from, responded_ + 1);
  const timing::Edge popped = responded_ + 1;
  slots_.push(popped + 1);
  if (--unanswered_ > 0 || issued_ < beats_) return;
  learn(popped);
  end_transfer(popped);
}

}  // namespace fansim::stream
