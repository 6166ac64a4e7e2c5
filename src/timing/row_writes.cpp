// SPDX-License-Identifier: Apache-2.0
#include "timing/row_writes.h"

#include <algorithm>

#include "base/units.h"
#include "rules/burst.h"

namespace fansim::timing {

RowWrites::RowWrites(const contract::DmaConfig& dma, const contract::AxiConfig& axi, Memory& memory, int port,
                     bool closed_forms)
    : dma_(dma), axi_(axi), port_(port), closed_forms_(closed_forms), memory_(memory) {}

void RowWrites::begin(const contract::RowTransfers& rows, Edge start) {
  rows_ = rows;
  bytes_ += std::int64_t{rows.row_bytes} * rows.rows;
  command(start);
}

// The mover pops it an edge after it was pushed.
void RowWrites::command(Edge pushed) {
  const std::uint32_t rows = std::min(rows_.rows, rows_.at_once((std::uint32_t{1} << dma_.length_bits) - 1));
  const auto beat_bytes = static_cast<std::uint32_t>(axi_.beat_bytes());
  unaligned_ = rows_.address % beat_bytes != 0;
  address_ = rows_.address - rows_.address % beat_bytes;
  beats_ = rules::beats_of(rows_.address, rows * rows_.row_bytes, axi_);
  stream_beats_ = base::ceil_div(rows * rows_.row_bytes, beat_bytes);
  rows_.rows -= rows;
  rows_.address += rows * rows_.pitch;
  accepted_ = issued_ = 0;
  accept_from_ = std::max(pushed + 1, pushed + dma_.s2mm_start);
  issued_at_ = kLongAgo;
  sent_.clear();
  accepted_at_.clear();
  slots_.clear();
  for (int i = 0; i < axi_.outstanding; ++i) slots_.push(kLongAgo);
}

void RowWrites::push(Edge pushed) {
  offered_.push(pushed);
  ++pushed_;
  accept();
}

std::int64_t RowWrites::push_in_step(Edge first, Edge step, std::int64_t most) {
  accept();
  if (!closed_forms_ || !offered_.empty() || accepts_.last > first || accepts_.before >= first ||
      accept_from_ > first + 1)
    return 0;
  const std::int64_t of_transfer = std::min(most, stream_beats_ - accepted_);
  std::int64_t beats = 0;  // that are taken
  while (beats < of_transfer) {
    // Beats are sent one per edge: if one frees its place in time, so do those of its run behind it.
    const std::int64_t sent = accepted_ + beats + unaligned_ - axi_.s2mm_fifo_beats();
    if (sent >= sent_.count()) break;
    if (sent >= 0 && sent_.at(sent) > first + beats * step) break;
    beats = std::min(of_transfer, sent < 0 ? beats - sent : beats + sent_.of(sent).end() - sent);
  }
  accepted_at_.push(first + 1, beats, step);
  accepted_ += beats;
  accepted_in_all_ += beats;
  if (beats > 1) accepts_.add(first + 1 + (beats - 2) * step);
  if (beats > 0) accepts_.add(first + 1 + (beats - 1) * step);
  // The stream has room for two more.
  const std::int64_t all = std::min(most, beats + 2);
  for (std::int64_t i = beats; i < all; ++i) offered_.push(first + i * step);
  pushed_ += all;
  return all;
}

// Takes the beats that are offered, as far as it is known when the FIFO has room.
void RowWrites::take_offered() {
  while (!offered_.empty() && accepted_ < stream_beats_) {
    const std::int64_t sent_before = accepted_ + 1 + unaligned_ - axi_.s2mm_fifo_beats();
    if (sent_before > sent_.count()) return;
    Edge edge = std::max({offered_.front() + 1, accepts_.last + 1, accept_from_});
    if (sent_before > 0) edge = std::max(edge, sent_.at(sent_before - 1) + 1);
    offered_.pop();
    accepts_.add(edge);
    accepted_at_.push(edge, 1);
    ++accepted_;
    ++accepted_in_all_;
  }
}

bool RowWrites::ask() {
  accept();
  if (issued_ == beats_ || slots_.empty()) return false;
  if (dma_.s2mm_gap > 0 && sent_.count() < issued_) return false;
  const std::uint64_t address = address_ + static_cast<std::uint64_t>(issued_ * axi_.beat_bytes());
  const int beats = rules::burst_beats(address, beats_ - issued_, axi_);
  const std::int64_t needed = std::min(issued_ + beats, stream_beats_);
  if (accepted_ < needed) return false;
  Edge edge = std::max({accepted_at_.at(needed - 1) + dma_.s2mm_store, issued_at_ + 1, slots_.front()});
  if (dma_.s2mm_gap > 0) edge = std::max(edge, idle_from_);
  slots_.pop();
  unsent_.push({beats, edge, 0, 0, 0});
  ++unanswered_;
  issued_ += beats;
  issued_at_ = edge;
  send();
  memory_.write(port_, *this, edge + 1, static_cast<std::uint32_t>(address), beats);
  return true;
}

// Two beats are in the stream before the first of them is taken, and their places in the FIFO free.
void RowWrites::send() {
  while (sending_ < unsent_.size() && sent_in_all_ - popped_ < 2) {
    Outgoing& burst = unsent_[sending_];
    const Edge room = (sent_in_all_ == popped_ ? sent_pops_.before : sent_pops_.last) + 1;
    last_sent_ = std::max({last_sent_ + 1, burst.pushed, room});
    (burst.sent == 0 ? burst.first : burst.second) = last_sent_;
    sent_.push(last_sent_, 1);
    ++sent_in_all_;
    if (++burst.sent == burst.beats) ends_burst();
  }
}

void RowWrites::ends_burst() {
  idle_from_ = last_sent_ + 1 + dma_.s2mm_gap;
  ++sending_;
}

// Once the first beat is popped one is popped per edge: two are in the stream by then, or follow as fast.
void RowWrites::take(Edge from) {
  Outgoing& burst = unsent_.front();
  const int beats = burst.beats, left = beats - burst.sent;
  const Edge popped = std::max({burst.first + 1, sent_pops_.last + 1, from});
  if (left > 0) {
    const Edge third = std::max(burst.second + 1, popped + 1);
    sent_.push(third, left);
    last_sent_ = third + left - 1;
    sent_in_all_ += left;
    ends_burst();
  }
  unsent_.pop();
  --sending_;
  popped_ += beats;
  sent_pops_ = {beats == 1 ? sent_pops_.last : popped + beats - 2, popped + beats - 1};
  send();
  memory_.written(port_, beats, popped);
}

void RowWrites::respond(Edge from) {
  responded_ = std::max(from, responded_ + 1);
  const Edge popped = responded_ + 1;
  slots_.push(popped + 1);
  if (--unanswered_ > 0 || issued_ < beats_) return;
  answered_ = popped;
  beats_ = 0;
  if (rows_.rows > 0) command(popped + 1);
}

}  // namespace fansim::timing
