// SPDX-License-Identifier: Apache-2.0
#include "axi/mm2s.h"

#include <fmt/format.h>

#include <cstring>

#include "rules/burst.h"

namespace fansim::axi {

Mm2s::Mm2s(const sc_core::sc_module_name& name, const contract::DmaConfig& dma, const contract::AxiConfig& axi)
    : Module(name),
      dma_(dma),
      axi_(axi),
      beat_bytes_(axi.beat_bytes()),
      fifo_beats_(axi.mm2s_fifo_beats()),
      fifo_(static_cast<std::size_t>(fifo_beats_ * beat_bytes_), beat_bytes_),
      visible_(fifo_beats_),
      in_flight_(axi.outstanding) {}

Mm2s::~Mm2s() = default;

[[gnu::flatten]] void Mm2s::step() {
  if (!active_) {
    if (command.empty()) {
      sleep();
      return;
    }
    if (!command.can_pop()) return;
    start(command.pop());
  }
  if (errors_ != 0 || (halt_ && halt_->get())) {
    give_up();
  } else {
    if (to_issue_ > 0) issue();
    stream();
  }
  if (r.can_pop()) receive();
}

void Mm2s::start(const TransferCommand& transfer) {
  if (transfer.bytes == 0) violation("command of no bytes");
  show(active_, true);
  ends_ = transfer.ends;
  if (transfer.fresh) held_bytes_ = 0;
  errors_ = 0;
  issue_from_ = now() - 1 + dma_.mm2s_start;
  const std::uint64_t offset = transfer.address % static_cast<std::uint64_t>(beat_bytes_);
  next_address_ = transfer.address - offset;
  to_issue_ = rules::beats_of(transfer.address, transfer.bytes, axi_);
  next_beats_ = rules::burst_beats(next_address_, to_issue_, axi_);
  fifo_base_ = received_ = 0;
  begin_ = position_ = static_cast<std::int64_t>(offset);
  end_ = position_ + transfer.bytes;
}

void Mm2s::issue() {
  if (now() < issue_from_ || in_flight_.full() || reserved_ + next_beats_ > fifo_beats_ || !ar.can_push()) return;
  ar.push({next_address_, next_beats_});
  ++bursts_;
  in_flight_.push(next_beats_);
  reserved_ += next_beats_;
  to_issue_ -= next_beats_;
  next_address_ += static_cast<std::uint64_t>(next_beats_ * beat_bytes_);
  next_beats_ = rules::burst_beats(next_address_, to_issue_, axi_);
}

void Mm2s::stream() {
  std::int64_t after = position_ + beat_bytes_ - held_bytes_;
  const bool last = after >= end_;
  const bool fills = after <= end_;
  if (last) after = end_;
  // The bytes may lie in two beats of the FIFO. The younger beat decides when they may leave.
  const std::size_t youngest = after > fifo_base_ + beat_bytes_ ? 1 : 0;
  if (received_ < after || visible_[youngest] > now()) {
    ++waits_;
    return;
  }
  const bool leaves = fills || ends_;
  if ((leaves && !m_axis.can_push()) || (last && !done.can_push())) {
    ++stalls_;
    return;
  }
  if (leaves) {
    send(after, last && ends_);
  } else {
    BeatBytes rest;
    fifo_.read(position_, rest);
    std::memcpy(held_.data() + held_bytes_, rest.data(), static_cast<std::size_t>(after - position_));
    held_bytes_ += static_cast<int>(after - position_);
    ++waits_;
  }
  position_ = after;
  while (fifo_base_ + beat_bytes_ <= after || (last && fifo_base_ < after)) {
    visible_.pop();
    --reserved_;
    fifo_base_ += beat_bytes_;
  }
  if (last) finish();
}

// Sends a beat with the bytes held and those from position_ up to `after`.
void Mm2s::send(std::int64_t after, bool last) {
  StreamBeat& beat = m_axis.push();
  fifo_.read(position_, beat.data);
  beat.bytes = held_bytes_ + static_cast<int>(after - position_);
  if (held_bytes_ > 0) {
    std::memmove(beat.data.data() + held_bytes_, beat.data.data(), static_cast<std::size_t>(after - position_));
    std::memcpy(beat.data.data(), held_.data(), static_cast<std::size_t>(held_bytes_));
    held_bytes_ = 0;
  }
  beat.last = last;
  ++beats_;
  bytes_ += beat.bytes;
}

void Mm2s::finish() {
  done.push({static_cast<std::uint32_t>(position_ - begin_), errors_, true, ends_});
  ++transfers_;
  show(active_, false);
}

void Mm2s::give_up() {
  ++waits_;
  to_issue_ = 0;
  if (!in_flight_.empty() || !done.can_push()) return;
  visible_.clear();
  reserved_ = 0;
  held_bytes_ = 0;
  finish();
}

void Mm2s::receive() {
  const ReadBeat& beat = r.pop();
  fifo_.write(received_, beat.data);
  received_ += beat_bytes_;
  visible_.push(now() + dma_.mm2s_stream);
  errors_ |= dma_error(beat.resp);
  int& left = in_flight_.front();
  if (beat.last != (--left == 0)) violation(fmt::format("RLAST is {} with {} beats to come", int{beat.last}, left));
  if (left == 0) in_flight_.pop();
}

std::string Mm2s::waiting_for() const {
  if (!active_) return {};
  return in_flight_.empty() ? "room on its stream" : "read data";
}

}  // namespace fansim::axi
