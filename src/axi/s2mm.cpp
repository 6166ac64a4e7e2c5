// SPDX-License-Identifier: Apache-2.0
#include "axi/s2mm.h"

#include <fmt/format.h>

#include "rules/burst.h"

namespace fansim::axi {

S2mm::S2mm(const sc_core::sc_module_name& name, const arch::DmaConfig& dma, const arch::AxiConfig& axi)
    : Module(name),
      dma_(dma),
      axi_(axi),
      beat_bytes_(axi.beat_bytes()),
      fifo_bytes_(std::int64_t{2} * axi.burst_beats * beat_bytes_),
      fifo_(static_cast<std::size_t>(fifo_bytes_)) {}

void S2mm::step() {
  if (!active_) {
    if (command.empty()) return sleep();
    if (!command.can_pop()) return;
    start(command.pop());
  }
  if (issued_ < beats_) issue();
  accept();
  if (sent_ < issued_) send();
  if (b.can_pop()) answer();
}

void S2mm::start(const TransferCommand& transfer) {
  if (transfer.bytes == 0) violation("command of no bytes");
  active_ = true;
  accept_from_ = now() - 1 + dma_.s2mm_start;
  begin_ = transfer.address % static_cast<std::uint32_t>(beat_bytes_);
  base_ = transfer.address - static_cast<std::uint32_t>(begin_);
  end_ = begin_ + transfer.bytes;
  beats_ = rules::beats_of(transfer.address, transfer.bytes, axi_);
  accepted_ = begin_;
  issued_ = sent_ = 0;
  next_beats_ = rules::burst_beats(base_, beats_, axi_);
}

void S2mm::issue() {
  const std::int64_t after = (issued_ + next_beats_) * beat_bytes_;
  if ((accepted_ < after && accepted_ < end_) || unanswered_ == axi_.outstanding || !aw.can_push()) return;
  aw.push({base_ + static_cast<std::uint32_t>(issued_ * beat_bytes_), next_beats_});
  ++bursts_;
  ++unanswered_;
  issued_ += next_beats_;
  next_beats_ = rules::burst_beats(base_ + static_cast<std::uint32_t>(after), beats_ - issued_, axi_);
}

void S2mm::accept() {
  if (accepted_ == end_ || now() < accept_from_ || !s_axis.can_pop()) {
    ++waits_;
    return;
  }
  if (accepted_ + beat_bytes_ > sent_ * beat_bytes_ + fifo_bytes_) {
    ++stalls_;
    return;
  }
  const StreamBeat& beat = s_axis.pop();
  fifo_.write(accepted_, beat.data);
  accepted_ += beat.bytes;
  ++stream_beats_;
  bytes_ += beat.bytes;
  if (accepted_ > end_ || beat.last != (accepted_ == end_))
    violation(fmt::format("packet {} than LENGTH, {} bytes: TLAST is {} after {}",
                          beat.last && accepted_ < end_ ? "shorter" : "longer", end_ - begin_, int{beat.last},
                          accepted_ - begin_));
}

void S2mm::send() {
  if (!w.can_push()) return;
  if (burst_left_ == 0)
    burst_left_ = rules::burst_beats(base_ + static_cast<std::uint32_t>(sent_ * beat_bytes_), beats_ - sent_, axi_);
  const std::int64_t position = sent_ * beat_bytes_;
  WriteBeat& beat = w.push();
  fifo_.read(position, beat.data);
  beat.strobe = (1U << beat_bytes_) - 1;
  if (position < begin_) beat.strobe &= ~0U << begin_;
  if (position + beat_bytes_ > end_) beat.strobe &= (1U << (end_ - position)) - 1;
  beat.last = --burst_left_ == 0;
  ++sent_;
}

void S2mm::answer() {
  const bool last = unanswered_ == 1 && issued_ == beats_;
  if (last && !done.can_push()) return;
  b.pop();
  --unanswered_;
  if (!last) return;
  done.push();
  ++transfers_;
  active_ = false;
}

std::string S2mm::waiting_for() const {
  if (!active_) return {};
  return accepted_ < end_ ? "its packet" : "write responses";
}

}  // namespace fansim::axi
