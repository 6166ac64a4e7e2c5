// SPDX-License-Identifier: Apache-2.0
#include "timing/row_reads.h"

#include <algorithm>

#include "base/units.h"
#include "rules/burst.h"

namespace fansim::timing {

RowReads::RowReads(const contract::DmaConfig& dma, const contract::AxiConfig& axi, Memory& memory, int port,
                   bool closed_forms)
    : dma_(dma), axi_(axi), port_(port), closed_forms_(closed_forms), memory_(memory) {}

void RowReads::begin(const contract::RowTransfers& rows, Edge start) {
  rows_ = rows;
  beats_ = to_issue_ = 0;
  streamed_.clear();
  bytes_ += std::int64_t{rows.row_bytes} * rows.rows;
  if (rows_.rows > 0) command(start);
}

// The mover pops it an edge after it was pushed.
void RowReads::command(Edge pushed) {
  const std::uint32_t rows = std::min(rows_.rows, rows_.at_once((std::uint32_t{1} << dma_.length_bits) - 1));
  const auto beat_bytes = static_cast<std::uint32_t>(axi_.beat_bytes());
  next_address_ = rows_.address - rows_.address % beat_bytes;
  to_issue_ = to_come_ = rules::beats_of(rows_.address, rows * rows_.row_bytes, axi_);
  beats_ = base::ceil_div(rows * rows_.row_bytes, beat_bytes);
  joins_first_ = rows_.address % beat_bytes != 0;
  repeats_last_ = joins_first_ && beats_ == to_come_;
  rows_.rows -= rows;
  rows_.address += rows * rows_.pitch;
  issued_ = 0;
  streamed_.clear();
  active_from_ = pushed + 1;
  issue_from_ = pushed + dma_.mm2s_start;
  slots_.clear();
  for (int i = 0; i < axi_.outstanding; ++i) slots_.push(kLongAgo);
}

// A slot freed, or FIFO room, at an edge is used again from the next one on.
bool RowReads::ask() {
  stream();
  if (to_issue_ == 0 || slots_.empty()) return false;
  const int beats = rules::burst_beats(next_address_, to_issue_, axi_);
  const std::int64_t streamed_before = issued_ + beats - axi_.mm2s_fifo_beats();
  if (streamed_before > streamed_.count()) return false;
  Edge pushed = std::max({issue_from_, active_from_, slots_.front()});
  if (streamed_before > 0) pushed = std::max(pushed, streamed_.at(streamed_before - 1) + 1);
  memory_.read(port_, *this, pushed + 1, static_cast<std::uint32_t>(next_address_), beats);
  slots_.pop();
  in_flight_.push(beats);
  issue_from_ = pushed + 1;
  issued_ += beats;
  to_issue_ -= beats;
  next_address_ += static_cast<std::uint64_t>(beats * axi_.beat_bytes());
  return true;
}

Edge RowReads::data(int beats, Edge from) {
  const Edge popped = std::max(from, pushed_ + 1) + 1;
  pushed_ = popped + beats - 2;
  show(popped + dma_.mm2s_stream, beats);
  if ((in_flight_.front() -= beats) == 0) {
    in_flight_.pop();
    slots_.push(popped + beats);
  }
  return pushed_;
}

// Beats of the memory may leave from `visible` on.
void RowReads::show(Edge visible, std::int64_t beats) {
  const Edge last = visible + beats - 1;
  to_come_ -= beats;
  if (joins_first_) {
    joins_first_ = false;
    ++visible;
    --beats;
  }
  if (beats > 0) visible_.push({visible, beats});
  if (to_come_ == 0 && repeats_last_) visible_.push({last, 1});
}

// A beat leaves once the stream has room, which it has when the one before the last was popped. With a transfer's last
// beat the mover is done: the rows' block pops that an edge later and pushes the next command.
void RowReads::stream() {
  while (!visible_.empty() && offered_.size() < 2) {
    Received& run = visible_.front();
    const Edge room = (offered_.empty() ? pops_.before : pops_.last) + 1;
    last_left_ = std::max({run.visible, last_left_ + 1, active_from_, room});
    streamed_.append(last_left_, 1);
    offered_.push(last_left_);
    ++run.visible;
    if (--run.beats == 0) visible_.pop();
    if (streamed_.count() == beats_ && rows_.rows > 0) command(last_left_ + 1);
  }
}

bool RowReads::next(Edge ready, Edge& popped) {
  stream();
  if (offered_.empty()) return false;
  popped = std::max({offered_.pop() + 1, pops_.last + 1, ready});
  pops_.add(popped);
  stream();
  return true;
}

// With both entries of the stream full before the first pop, a beat comes an edge after each pop.
std::int64_t RowReads::in_step(Edge first, Edge step, std::int64_t most) {
  stream();
  if (!closed_forms_ || offered_.size() < 2 || offered_.front() >= first || offered_.back() > first ||
      pops_.last >= first || active_from_ > first + 1)
    return 0;
  std::int64_t beats = static_cast<std::int64_t>(offered_.size());
  for (std::size_t i = 0; i < visible_.size() && beats < most; ++i) {
    if (visible_[i].visible > first + 1 + (beats - 2) * step) break;
    beats += visible_[i].beats;
  }
  return std::min(beats, most);
}

void RowReads::pop_in_step(Edge first, Edge step, std::int64_t beats) {
  std::int64_t more = 0;  // that leave meanwhile
  while (!visible_.empty() && more < beats && visible_.front().visible <= first + 1 + more * step) {
    Received& run = visible_.front();
    const std::int64_t of_run = std::min(run.beats, beats - more);
    more += of_run;
    run.visible += of_run;
    if ((run.beats -= of_run) == 0) visible_.pop();
  }
  streamed_.push(first + 1, more, step);
  if (more > 0) last_left_ = first + 1 + (more - 1) * step;
  // Two of those in the stream and the last two to come; what is left of all is the last of these.
  const auto left = static_cast<std::size_t>(2 + more - beats);
  for (std::int64_t i = std::max<std::int64_t>(0, more - 2); i < more; ++i) offered_.push(first + 1 + i * step);
  while (offered_.size() > left) offered_.pop();
  if (beats > 1) pops_.add(first + (beats - 2) * step);
  pops_.add(first + (beats - 1) * step);
  if (streamed_.count() == beats_ && rows_.rows > 0) command(last_left_ + 1);
}

}  // namespace fansim::timing
