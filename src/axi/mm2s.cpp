// SPDX-License-Identifier: Apache-2.0
#include "axi/mm2s.h"

#include <fmt/format.h>

#include "rules/burst.h"

namespace fansim::axi {

Mm2s::Mm2s(const sc_core::sc_module_name& name, const arch::DmaConfig& dma, const arch::AxiConfig& axi)
    : Module(name),
      dma_(dma),
      axi_(axi),
      beat_bytes_(axi.beat_bytes()),
      fifo_beats_(axi.outstanding * axi.burst_beats + 1),
      fifo_(static_cast<std::size_t>(fifo_beats_ * beat_bytes_)),
      visible_(fifo_beats_),
      in_flight_(axi.outstanding) {}

void Mm2s::step() {
  if (!active_) {
    if (command.empty()) return sleep();
    if (!command.can_pop()) return;
    start(command.pop());
  }
  if (to_issue_ > 0) issue();
  stream();
  if (r.can_pop()) receive();
}

void Mm2s::start(const TransferCommand& transfer) {
  if (transfer.bytes == 0) violation("command of no bytes");
  active_ = true;
  issue_from_ = now() - 1 + dma_.mm2s_start;
  const auto offset = transfer.address % static_cast<std::uint32_t>(beat_bytes_);
  next_address_ = transfer.address - offset;
  to_issue_ = rules::beats_of(transfer.address, transfer.bytes, axi_);
  next_beats_ = rules::burst_beats(next_address_, to_issue_, axi_);
  fifo_base_ = received_ = 0;
  position_ = offset;
  end_ = position_ + transfer.bytes;
}

void Mm2s::issue() {
  if (now() < issue_from_ || in_flight_.full() || reserved_ + next_beats_ > fifo_beats_ || !ar.can_push()) return;
  ar.push({next_address_, next_beats_});
  ++bursts_;
  in_flight_.push(next_beats_);
  reserved_ += next_beats_;
  to_issue_ -= next_beats_;
  next_address_ += static_cast<std::uint32_t>(next_beats_ * beat_bytes_);
  next_beats_ = rules::burst_beats(next_address_, to_issue_, axi_);
}

void Mm2s::stream() {
  std::int64_t after = position_ + beat_bytes_;
  const bool last = after >= end_;
  if (last) after = end_;
  // The beat may lie in two beats of the FIFO; the younger one decides.
  const std::size_t youngest = after > fifo_base_ + beat_bytes_ ? 1 : 0;
  if (received_ < after || visible_[youngest] > now()) {
    ++waits_;
    return;
  }
  if (!m_axis.can_push() || (last && !done.can_push())) {
    ++stalls_;
    return;
  }
  StreamBeat& beat = m_axis.push();
  fifo_.read(position_, beat.data);
  beat.bytes = static_cast<int>(after - position_);
  beat.last = last;
  ++beats_;
  bytes_ += beat.bytes;
  position_ = after;
  while (fifo_base_ + beat_bytes_ <= after || (last && fifo_base_ < after)) {
    visible_.pop();
    --reserved_;
    fifo_base_ += beat_bytes_;
  }
  if (!last) return;
  done.push();
  ++transfers_;
  active_ = false;
}

void Mm2s::receive() {
  const ReadBeat& beat = r.pop();
  fifo_.write(received_, beat.data);
  received_ += beat_bytes_;
  visible_.push(now() + dma_.mm2s_stream);
  int& left = in_flight_.front();
  if (beat.last != (--left == 0)) violation(fmt::format("RLAST is {} with {} beats to come", int{beat.last}, left));
  if (left == 0) in_flight_.pop();
}

std::string Mm2s::waiting_for() const {
  if (!active_) return {};
  return in_flight_.empty() ? "room on its stream" : "read data";
}

}  // namespace fansim::axi
