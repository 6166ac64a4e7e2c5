// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/replayed_outputs.h"

#include <algorithm>
#include <optional>

#include "rules/burst.h"
#include "timing/replay/shift.h"

namespace fansim::stream {

namespace {

using Edge = timing::Edge;

// Nothing is learnt of a transfer that a read or a refresh holds up for longer.
constexpr std::size_t kMostHeldUp = 1024;

// Whether the next beats are accepted as soon as they are packed, or as soon as there is room: for the first beat from
// `room` on, for each behind it an edge later.
bool flows(const Packing& packing, Edge packs, Edge room) {
  if (packs == 1) return packing.accepted.last != timing::kLongAgo;
  return packing.accepted.last == packing.pushed + 1 && room <= packing.accepted.last + packs;
}

// Packs and accepts so many of those beats.
void flow(Packing& packing, std::int64_t beats, Edge packs, Edge room) {
  timing::shift(packing, std::max(beats * packs, room + beats - 1 - packing.accepted.last));
}

}  // namespace

ReplayedOutputs::ReplayedOutputs(const Config& config, timing::Memory& memory, timing::trains::FixedTrains* trains,
                                 TransferTable table)
    : OutputPath(config, memory),
      burst_mask_(rules::BurstStarts::fill(axi_) ? axi_.burst_beats * axi_.beat_bytes() - 1 : -1),
      trains_(trains),
      table_(std::move(table)) {}

// A boundary that ends a burst that would end there anyway does not count.
inline TransferKind& ReplayedOutputs::kind() {
  const std::int64_t bytes = tile_.shape.bytes, offset = rules::in_beat(destination_, axi_);
  const std::int64_t in_space = destination_ % rules::kBurstBoundary;
  const bool crosses = in_space + bytes > rules::kBurstBoundary && ((in_space - offset) & burst_mask_) != 0;
  const std::int64_t key = bytes << 13 | (crosses ? rules::kBurstBoundary | in_space : offset);
  if (key_ != key) {
    key_ = key;
    kind_ = &table_.find(key);
  }
  return *kind_;
}

bool ReplayedOutputs::ask_all(Edge read_arrives) {
  if (trains_ == nullptr) return false;
  Edge until = timing::kNever, began = 0;
  const TransferKind* made = nullptr;
  for (const std::int64_t tiles = tiles_sent_; tiles_sent_ == tiles && replays();) {
    const TransferKind::Outcome& quiet = *kind_->quiet;
    const Edge first = address_ + quiet.write.first;
    if (dma_.s2mm_gap > 0 && idle_from_ + kGranted > first) break;
    if (made == nullptr) until = trains_->quiet_until(first, read_arrives);
    if (address_ + quiet.write.last > until) break;
    made = kind_;
    began = address_;
    idle_from_ = began + quiet.idle_from;
    next_transfer(began + quiet.answered);
  }
  if (made == nullptr) return meet();
  timing::trains::WriteOnBus last = made->quiet->write;
  last.shift(began);
  trains_->write_all(last);
  responded_ = began + made->quiet->answered - 1;
  return true;
}

bool ReplayedOutputs::meet() {
  if (!busy_ || begun_) return false;
  meets_ = false;
  const TransferKind& kind = this->kind();
  if (kind.bursts.empty()) return false;
  const Edge seen = address_ + kind.bursts.front().pushed + kGranted;
  meets_ = trains_->meets(seen, meeting_);
  if (!meets_) return false;
  const auto held_up = static_cast<std::size_t>(meeting_.at - seen);
  if (held_up > kMostHeldUp) meets_ = false;
  if (held_up >= kind.met.size() || !kind.met[held_up]) return false;
  const auto& [outcome, beats] = *kind.met[held_up];
  timing::trains::WriteOnBus write = outcome.write;
  write.shift(address_);
  if (!trains_->meet(meeting_, beats, write)) return false;
  idle_from_ = address_ + outcome.idle_from;
  responded_ = address_ + outcome.answered - 1;
  next_transfer(address_ + outcome.answered);
  return true;
}

// Keeps what became of the transfer that was answered, for others of its kind.
void ReplayedOutputs::learn(Edge answered) {
  TransferKind& kind = *kind_;
  const std::optional<std::int64_t> beats = meets_ ? trains_->met(meeting_) : std::nullopt;
  TransferKind::Outcome outcome{write_, idle_from_ - address_, answered - address_};
  outcome.write.shift(-address_);
  if (quiet_ && !kind.quiet) kind.quiet = outcome;
  if (!beats) return;
  const auto held_up = static_cast<std::size_t>(meeting_.at - address_ - kind.bursts.front().pushed - kGranted);
  table_.learn(kind, held_up, {outcome, *beats});
}

Edge ReplayedOutputs::first_decided() {
  if (idle()) return timing::kNever;
  return replays() ? address_ + kind_->quiet->write.first : timing::kLongAgo;
}

bool ReplayedOutputs::ask() {
  if (!begun_ && meets_ && meeting_.behind) return false;
  return OutputPath::ask();
}

// The kind's first bursts are pushed at once. With the last of them the transfer may end.
bool ReplayedOutputs::begin_bursts() {
  const TransferKind& kind = this->kind();
  OutputPath::begin_bursts();
  quiet_ = true;
  bursts_ = 0;
  if (kind.bursts.empty()) return false;
  packing_ = kind.packing;
  timing::shift(packing_, address_);
  accepted_ = kind.accepted;
  const std::size_t count = kind.bursts.size();
  for (std::size_t i = 0; i < count; ++i) push(kind.bursts[i].beats, address_ + kind.bursts[i].pushed);
  return true;
}

bool ReplayedOutputs::accept(std::int64_t beats) {
  while (accepted_ < beats) {
    const std::int64_t sent_before = accepted_ + 1 + realigned_ - axi_.s2mm_fifo_beats();
    if (sent_before > sent_.count()) return false;
    Edge room = accept_from_;
    std::int64_t run = 1 - sent_before;  // beats for which there is room an edge after each other
    if (sent_before > 0) {
      const timing::BeatRuns::Stretch& sent = sent_.of(sent_before - 1);
      room = std::max(room, sent.at(sent_before - 1) + 1);
      run = sent.end() - (sent_before - 1);
    }
    const std::int64_t whole = std::min({run, beats - accepted_, whole_beats_ - accepted_});
    if (whole > 0 && flows(packing_, packs_, room)) {
      flow(packing_, whole, packs_, room);
      accepted_ += whole;
    } else {
      packing_.beat(accepted_ < whole_beats_ ? packs_ : words_ % packs_, room);
      ++accepted_;
    }
  }
  return true;
}

// A burst that neither the FIFO, slots nor the gap can hold up is pushed so in all transfers of the kind.
void ReplayedOutputs::push(int beats, Edge edge) {
  TransferKind& kind = *kind_;
  const bool free = unused_ > 0 && dma_.s2mm_gap == 0 && accepted_ + realigned_ <= axi_.s2mm_fifo_beats();
  if (free && kind.bursts.size() == bursts_) {
    kind.bursts.push_back({beats, edge - address_});
    kind.packing = packing_;
    timing::shift(kind.packing, -address_);
    kind.accepted = accepted_;
  }
  if (dma_.s2mm_gap > 0 && issued_ == 0 && packing_.accepted.last + dma_.s2mm_store < idle_from_) quiet_ = false;
  ++bursts_;
  OutputPath::push(beats, edge);
}

void ReplayedOutputs::take(Edge from) {
  const Outgoing burst = unsent_.front();
  const bool first = last_sent_ == timing::kLongAgo;
  const Edge granted = burst.pushed + kGranted;
  if (from != (first ? granted : std::max(granted, write_.burst.to))) quiet_ = false;
  const Edge popped = send(from);
  write_ = {first ? from : write_.first, from, {from, popped + burst.beats}};
  memory_.written(kPort, burst.beats, popped);
}

void ReplayedOutputs::end_transfer(Edge answered) {
  learn(answered);
  OutputPath::end_transfer(answered);
}

}  // namespace fansim::stream
