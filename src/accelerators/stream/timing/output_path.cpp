// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/output_path.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::stream {

OutputPath::OutputPath(const Config& config, timing::Memory& memory)
    : dma_(config.dma),
      axi_(config.axi),
      word_bytes_(config.array.word_bytes()),
      pixel_bytes_(config.array.pixel_bytes()),
      packs_(std::max(axi_.beat_bytes() / word_bytes_, 1)),
      memory_(memory) {}

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
  begun_ = false;
}

void OutputPath::end_tile(timing::Edge cleared) {
  fetched_ = cleared;
  ++tiles_sent_;
  free_ = cleared + kAnswered;
  busy_ = false;
  if (!tiles_.empty()) begin_tile();
}

// Destination and length are written one after the other; the writer reads its first word at the edge at which the
// response to the length is back. Nothing of the transfer before is left in FIFO and packer.
bool OutputPath::begin_bursts() {
  begun_ = true;
  const timing::Edge length = address_ + kAnswered;
  accept_from_ = length + kActs + dma_.s2mm_start;
  packing_ = {};
  packing_.pushed = length + kAnswered + ArrayConfig::bram_read_latency() + 1;
  accepted_ = 0;
  issued_at_ = last_sent_ = timing::kLongAgo;
  sent_pops_ = {};
  sent_.clear();
  slots_.clear();
  unused_ = axi_.outstanding;
  const int offset = rules::in_beat(destination_, axi_);
  realigned_ = offset != 0;
  beats_ = rules::beats_of(destination_, tile_.shape.bytes, axi_);
  base_ = destination_ - static_cast<std::uint32_t>(offset);
  issued_ = 0;
  return false;
}

bool OutputPath::ask() {
  if (!busy_ || (begun_ && issued_ == beats_)) return false;
  if (!begun_ && begin_bursts()) return true;
  if (unused_ == 0 && slots_.empty()) return false;
  if (dma_.s2mm_gap > 0 && sent_.count() < issued_) return false;
  const std::uint64_t address = base_ + static_cast<std::uint64_t>(issued_ * axi_.beat_bytes());
  const int beats = rules::burst_beats(address, beats_ - issued_, axi_);
  if (!accept(std::min(issued_ + beats, stream_beats_))) return false;
  timing::Edge edge = std::max(packing_.accepted.last + dma_.s2mm_store, issued_at_ + 1);
  if (unused_ == 0) edge = std::max(edge, slots_.pop());
  if (dma_.s2mm_gap > 0) edge = std::max(edge, idle_from_);
  push(beats, edge);
  return true;
}

void OutputPath::push(int beats, timing::Edge edge) {
  const std::uint64_t address = base_ + static_cast<std::uint64_t>(issued_ * axi_.beat_bytes());
  unsent_.push({beats, edge});
  ++unanswered_;
  unused_ -= unused_ > 0;
  issued_ += beats;
  issued_at_ = edge;
  memory_.write(kPort, *this, edge + 1, static_cast<std::uint32_t>(address), beats);
}

bool OutputPath::accept(std::int64_t beats) {
  for (; accepted_ < beats; ++accepted_) {
    const std::int64_t sent_before = accepted_ + 1 + realigned_ - axi_.s2mm_fifo_beats();
    if (sent_before > sent_.count()) return false;
    timing::Edge room = accept_from_;
    if (sent_before > 0) room = std::max(room, sent_.at(sent_before - 1) + 1);
    packing_.beat(accepted_ < whole_beats_ ? packs_ : words_ % packs_, room);
  }
  return true;
}

void OutputPath::take(timing::Edge from) {
  const int beats = unsent_.front().beats;
  memory_.written(kPort, beats, send(from));
}

// Once the first beat is popped one is popped per edge: two are in the stream by then, or follow as fast.
timing::Edge OutputPath::send(timing::Edge from) {
  const Outgoing burst = unsent_.pop();
  const timing::Edge pushed = std::max({last_sent_ + 1, burst.pushed, sent_pops_.room()});
  const timing::Edge popped = std::max({pushed + 1, sent_pops_.last + 1, from});
  const timing::Edge second = std::max(pushed + 1, sent_pops_.last + 1);
  const timing::Edge third = std::max(second + 1, popped + 1);
  sent_.append(pushed, 1);
  if (burst.beats > 1) sent_.append(second, 1);
  if (burst.beats > 2) sent_.append(third, burst.beats - 2);
  last_sent_ = burst.beats == 1 ? pushed : burst.beats == 2 ? second : third + burst.beats - 3;
  sent_pops_ = {burst.beats == 1 ? sent_pops_.last : popped + burst.beats - 2, popped + burst.beats - 1};
  idle_from_ = last_sent_ + 1 + dma_.s2mm_gap;
  return popped;
}

void OutputPath::respond(timing::Edge from) {
  responded_ = std::max(from, responded_ + 1);
  const timing::Edge popped = responded_ + 1;
  slots_.push(popped + 1);
  if (--unanswered_ > 0 || issued_ < beats_) return;
  end_transfer(popped);
}

}  // namespace fansim::stream
