// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/load_lane.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::decoupled {

LoadLane::LoadLane(int lane, const Config& config, Sink sink, Fill fill)
    : command(fmt::format("command{}", lane).c_str()),
      done(fmt::format("done{}", lane).c_str()),
      data(fmt::format("data{}", lane).c_str()),
      pad_interval_(config.load.pad_interval),
      row_setup_(config.load.row_setup),
      sink_(std::move(sink)),
      fill_(std::move(fill)) {}

void LoadLane::begin(const Transfers& transfers) {
  transfers_.emplace(transfers);
  next();
  settle();
}

void LoadLane::next() {
  if (!transfers_->next(transfer_)) {
    phase_ = Phase::ended;
    return;
  }
  if (transfer_.row == 0 && transfer_.offset == 0) fill_(transfer_.plane);
  phase_ = Phase::before;
  left_ = transfer_.before * pad_interval_ + (transfer_.bytes > 0 ? row_setup_ : 0);
}

// Skips phases that take no edge.
void LoadLane::settle() {
  while (left_ == 0 && phase_ != Phase::push && phase_ != Phase::ended) {
    if (phase_ == Phase::behind) {
      next();
    } else if (phase_ == Phase::before && transfer_.bytes > 0) {
      phase_ = Phase::push;
    } else {
      phase_ = Phase::behind;
      left_ = transfer_.behind * pad_interval_;
    }
  }
}

std::string LoadLane::step() {
  std::string wrong;
  if (phase_ == Phase::ended) return wrong;
  if (phase_ == Phase::push) {
    command.push({transfer_.address, transfer_.bytes, true, false});
    bytes_ += left_ = transfer_.bytes;
    phase_ = Phase::beats;
  } else if (phase_ == Phase::beats) {
    if (data.can_pop()) wrong = pop();
  } else {
    --left_;
  }
  settle();
  return wrong;
}

std::string LoadLane::pop() {
  const axi::StreamBeat& beat = data.pop();
  const auto count = static_cast<std::uint32_t>(std::min<std::int64_t>(beat.bytes, left_));
  sink_(transfer_, transfer_.bytes - static_cast<std::uint32_t>(left_), beat.data.data(), count);
  left_ -= count;
  if (beat.last != (left_ == 0)) return fmt::format("TLAST is {} with {} bytes to come", int{beat.last}, left_);
  if (left_ > 0) return {};
  if (!done.can_pop()) return "the mover has not ended with its last beat";
  const axi::TransferDone& ended = done.pop();
  return ended.errors != 0 ? fmt::format("transfer ended with DMASR {:#x}", ended.errors) : "";
}

}  // namespace fansim::decoupled
