// SPDX-License-Identifier: Apache-2.0
#include "axi/s2mm.h"

#include <algorithm>
#include <cstring>

#include "rules/burst.h"

namespace fansim::axi {

S2mm::S2mm(const sc_core::sc_module_name& name, const contract::DmaConfig& dma, const contract::AxiConfig& axi)
    : Module(name),
      dma_(dma),
      axi_(axi),
      beat_bytes_(axi.beat_bytes()),
      fifo_bytes_(std::int64_t{axi.s2mm_fifo_beats()} * beat_bytes_),
      fifo_(static_cast<std::size_t>(fifo_bytes_), beat_bytes_),
      storing_(dma.s2mm_store + 1) {}

S2mm::~S2mm() = default;

void S2mm::step() {
  if (!active_) {
    if (command.empty()) {
      sleep();
      return;
    }
    if (!command.can_pop()) return;
    start(command.pop());
  }
  if ((errors_ & ~contract::dma_map::kSrDmaIntErr) != 0 || (halt_ && halt_->get())) {
    give_up();
  } else {
    if (issued_ < beats_) issue();
    accept();
  }
  if (sent_ < issued_) send();
  if (b.can_pop()) answer();
}

void S2mm::start(const TransferCommand& transfer) {
  if (transfer.bytes == 0) violation("command of no bytes");
  active_ = true;
  ends_ = transfer.ends;
  if (transfer.fresh) {
    held_.bytes = 0;
    packet_ended_ = true;
  }
  begins_ = packet_ended_;
  errors_ = 0;
  accept_from_ = now() - 1 + dma_.s2mm_start;
  begin_ = static_cast<std::int64_t>(transfer.address % static_cast<std::uint64_t>(beat_bytes_));
  base_ = transfer.address - static_cast<std::uint64_t>(begin_);
  end_ = begin_ + transfer.bytes;
  beats_ = rules::beats_of(transfer.address, transfer.bytes, axi_);
  accepted_ = stored_ = begin_;
  issued_ = sent_ = 0;
  next_beats_ = rules::burst_beats(base_, beats_, axi_);
}

// Returns whether all bytes up to `after`, or to the transfer's end, were accepted at least s2mm_store edges ago.
bool S2mm::stored(std::int64_t after) {
  while (!storing_.empty() && storing_.front().edge <= now()) {
    stored_ = storing_.front().position;
    storing_.pop();
  }
  return stored_ >= after || stored_ == end_;
}

void S2mm::issue() {
  const std::int64_t after = (issued_ + next_beats_) * beat_bytes_;
  if (!stored(after) || in_gap() || unanswered_ == axi_.outstanding || !aw.can_push()) return;
  aw.push({base_ + static_cast<std::uint64_t>(issued_ * beat_bytes_), next_beats_});
  ++bursts_;
  ++unanswered_;
  issued_ += next_beats_;
  next_beats_ = rules::burst_beats(base_ + static_cast<std::uint64_t>(after), beats_ - issued_, axi_);
}

void S2mm::accept() {
  if (accepted_ == end_ || now() < accept_from_ || (held_.bytes == 0 && !s_axis.can_pop())) {
    ++waits_;
    return;
  }
  if (accepted_ + beat_bytes_ > sent_ * beat_bytes_ + fifo_bytes_) {
    ++stalls_;
    return;
  }
  if (held_.bytes > 0) {
    const StreamBeat rest = held_;
    held_.bytes = 0;
    take(rest);
    return;
  }
  ++stream_beats_;
  take(s_axis.pop());
}

void S2mm::take(const StreamBeat& beat) {
  fifo_.write(accepted_, beat.data);
  const auto fits = static_cast<int>(std::min<std::int64_t>(beat.bytes, end_ - accepted_));
  accepted_ += fits;
  bytes_ += fits;
  if (fits < beat.bytes) {
    held_ = beat;
    held_.bytes -= fits;
    std::memmove(held_.data.data(), beat.data.data() + fits, static_cast<std::size_t>(held_.bytes));
  }
  packet_ended_ = beat.last && held_.bytes == 0;
  if (packet_ended_) end_at(accepted_);
  if (accepted_ == end_ && ends_ && !packet_ended_) errors_ |= contract::dma_map::kSrDmaIntErr;
  storing_.push({accepted_, now() + dma_.s2mm_store});
}

void S2mm::end_at(std::int64_t position) {
  end_ = position;
  beats_ = (end_ + beat_bytes_ - 1) / beat_bytes_;
  next_beats_ = rules::burst_beats(base_ + static_cast<std::uint64_t>(issued_ * beat_bytes_), beats_ - issued_, axi_);
}

void S2mm::send() {
  if (!w.can_push()) return;
  if (burst_left_ == 0)
    burst_left_ = rules::burst_beats(base_ + static_cast<std::uint64_t>(sent_ * beat_bytes_), beats_ - sent_, axi_);
  const std::int64_t position = sent_ * beat_bytes_;
  WriteBeat& beat = w.push();
  fifo_.read(position, beat.data);
  beat.strobe = byte_mask(beat_bytes_);
  if (position < begin_) beat.strobe &= ~byte_mask(static_cast<int>(begin_));
  if (position + beat_bytes_ > end_) beat.strobe &= byte_mask(static_cast<int>(end_ - position));
  beat.last = --burst_left_ == 0;
  if (beat.last) idle_from_ = now() + 1 + dma_.s2mm_gap;
  ++sent_;
}

void S2mm::answer() {
  const bool last = unanswered_ == 1 && issued_ == beats_ && accepted_ == end_;
  if (last && !done.can_push()) return;
  errors_ |= dma_error(b.pop().resp);
  --unanswered_;
  if (last) finish();
}

void S2mm::finish() {
  done.push({static_cast<std::uint32_t>(accepted_ - begin_), errors_, begins_, packet_ended_});
  ++transfers_;
  storing_.clear();
  active_ = false;
}

void S2mm::give_up() {
  ++waits_;
  beats_ = issued_;
  end_ = accepted_;
  if (unanswered_ == 0 && sent_ == issued_ && done.can_push()) finish();
}

std::string S2mm::waiting_for() const {
  if (!active_) return {};
  return accepted_ < end_ ? "its packet" : "write responses";
}

}  // namespace fansim::axi
