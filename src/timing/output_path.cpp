// SPDX-License-Identifier: Apache-2.0
#include "timing/output_path.h"

#include <algorithm>

#include "base/units.h"
#include "rules/burst.h"

namespace fansim::timing {

namespace {
// A register write over the writer's AXI-Lite port: it acts an edge after it is pushed, the response is popped another
// edge later.
constexpr Edge kActs = 1, kAnswered = 2;
}  // namespace

OutputPath::OutputPath(const arch::StreamConfig& config)
    : dma_(config.dma),
      axi_(config.axi),
      lanes_(config.array.input_channels),
      output_channels_(config.array.output_channels) {}

void OutputPath::tile(const arch::Command& job, Edge edge) {
  tiles_.push({job, edge});
  if (!busy_) begin_tile();
}

void OutputPath::begin_tile() {
  busy_ = true;
  job_ = tiles_.front().job;
  address_ = std::max(tiles_.front().edge + 1, free_) + 1;
  tiles_.pop();
  shape_ = arch::shape_of(job_, lanes_, output_channels_);
  row_ = plane_ = 0;
  begin_transfer();
}

// Destination and length are written one after the other; the writer reads its first word at the edge at which the
// second response is back.
void OutputPath::begin_transfer() {
  const auto destination =
      job_.output_base + static_cast<std::uint32_t>(row_ * job_.row_pitch + plane_ * job_.plane_pitch);
  const auto size = static_cast<std::uint32_t>(axi_.beat_bytes());
  realigned_ = destination % size != 0;
  base_ = destination - destination % size;
  beats_ = rules::beats_of(destination, shape_.bytes, axi_);
  stream_beats_ = base::ceil_div(shape_.bytes, axi_.beat_bytes());
  words_ = shape_.bytes / lanes_;
  words_taken_ = 0;
  const Edge length = address_ + kAnswered;
  accept_from_ = length + kActs + dma_.s2mm_start;
  word_pushed_ = length + kAnswered + arch::ArrayConfig::bram_read_latency() - 1;
  word_pops_ = beat_pops_ = sent_pops_ = {};
  beat_pushed_ = issued_at_ = kLongAgo;
  accepted_ = issued_ = 0;
  sent_.clear();
  slots_.clear();
  for (int i = 0; i < axi_.outstanding; ++i) slots_.push(kLongAgo);
  bytes_ += shape_.bytes;
}

bool OutputPath::next(Burst& burst) {
  if (!busy_ || issued_ == beats_ || slots_.empty()) return false;
  const auto sent = static_cast<std::int64_t>(sent_.size());
  if (dma_.s2mm_gap > 0 && sent < issued_) return false;
  const std::uint64_t address = base_ + static_cast<std::uint64_t>(issued_ * axi_.beat_bytes());
  const int beats = rules::burst_beats(address, beats_ - issued_, axi_);
  if (!accept(std::min(issued_ + beats, stream_beats_))) return false;
  Edge edge = std::max({beat_pops_.last + dma_.s2mm_store, issued_at_ + 1, slots_.front()});
  if (dma_.s2mm_gap > 0) edge = std::max(edge, idle_from_);
  slots_.pop();
  burst = {edge, static_cast<std::uint32_t>(address), beats};
  unsent_.push({beats, edge});
  ++unanswered_;
  issued_ += beats;
  issued_at_ = edge;
  return true;
}

// Takes stream beats until there are so many; false if the FIFO has no room before further beats are sent.
bool OutputPath::accept(std::int64_t beats) {
  const std::int64_t fifo = std::int64_t{2} * axi_.burst_beats;
  while (accepted_ < beats) {
    const std::int64_t sent_before = accepted_ + 1 + realigned_ - fifo;
    if (sent_before > static_cast<std::int64_t>(sent_.size())) return false;
    stream_beat();
    Edge edge = std::max({beat_pushed_ + 1, beat_pops_.last + 1, accept_from_});
    if (sent_before > 0) edge = std::max(edge, sent_[static_cast<std::size_t>(sent_before - 1)] + 1);
    beat_pops_.add(edge);
    ++accepted_;
  }
  return true;
}

// The packer's next beat. It pops no word while a whole beat is waiting in it.
void OutputPath::stream_beat() {
  const int size = axi_.beat_bytes();
  const bool second_half = lanes_ > size && accepted_ % 2 == 1;
  const int words = second_half ? 0 : lanes_ > size ? 1 : std::min(size / lanes_, words_ - words_taken_);
  for (int word = 0; word < words; ++word) {
    word_pushed_ = std::max(word_pushed_ + 1, word_pops_.room());
    word_pops_.add(std::max({word_pushed_ + 1, word_pops_.last + 1, word == 0 ? beat_pushed_ : kLongAgo}));
  }
  words_taken_ += words;
  beat_pushed_ = std::max({second_half ? kLongAgo : word_pops_.last + 1, beat_pushed_ + 1, beat_pops_.room()});
}

Edge OutputPath::send_beat(bool first, Edge pushed, Edge from) {
  const Edge before = sent_.empty() ? kLongAgo : sent_.back();
  sent_.push_back(std::max({before + 1, first ? pushed : kLongAgo, sent_pops_.room()}));
  sent_pops_.add(std::max({sent_.back() + 1, sent_pops_.last + 1, first ? from : kLongAgo}));
  return sent_pops_.last;
}

void OutputPath::answer(Edge edge) {
  const Edge popped = edge + 1;
  slots_.push(popped + 1);
  if (--unanswered_ == 0 && issued_ == beats_) end_transfer(popped);
}

// The registers count the completion an edge later, the writer sees the interrupt and an edge after that clears it.
void OutputPath::end_transfer(Edge answered) {
  const Edge cleared = answered + 3;
  address_ = cleared + kAnswered;
  if (++plane_ < shape_.planes) return begin_transfer();
  plane_ = 0;
  if (++row_ < shape_.rows) return begin_transfer();
  fetched_ = cleared;
  ++tiles_sent_;
  free_ = cleared + kAnswered;
  busy_ = false;
  if (!tiles_.empty()) begin_tile();
}

}  // namespace fansim::timing
