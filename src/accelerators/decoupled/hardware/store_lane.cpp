// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/store_lane.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::decoupled {

StoreLane::StoreLane(int lane, const Config& config, Source source)
    : command(fmt::format("command{}", lane).c_str()),
      done(fmt::format("done{}", lane).c_str()),
      data(fmt::format("data{}", lane).c_str()),
      beat_bytes_(static_cast<std::uint32_t>(config.axi.beat_bytes())),
      row_setup_(config.store.row_setup),
      source_(std::move(source)) {}

void StoreLane::begin(const Transfers& transfers, int beat_interval) {
  transfers_.emplace(transfers);
  interval_ = beat_interval;
  next();
}

void StoreLane::next() {
  if (!transfers_->next(transfer_) || transfer_.bytes == 0) {
    phase_ = Phase::ended;
    return;
  }
  left_ = row_setup_;
  phase_ = left_ > 0 ? Phase::before : Phase::push;
}

std::string StoreLane::step(sim::Edge now) {
  switch (phase_) {
    case Phase::before:
      if (--left_ == 0) phase_ = Phase::push;
      break;
    case Phase::push:
      command.push({transfer_.address, transfer_.bytes, true, false});
      bytes_ += transfer_.bytes;
      sent_ = 0;
      push_from_ = now + 1;
      phase_ = Phase::beats;
      break;
    case Phase::beats:
      if (now >= push_from_ && data.can_push()) push(now);
      break;
    case Phase::end:
      if (!done.can_pop()) break;
      if (const axi::TransferDone& ended = done.pop(); ended.errors != 0 || ended.bytes != transfer_.bytes)
        return fmt::format("transfer of {} bytes ended with {} and DMASR {:#x}", transfer_.bytes, ended.bytes,
                           ended.errors);
      next();
      break;
    case Phase::ended:
      break;
  }
  return {};
}

void StoreLane::push(sim::Edge now) {
  axi::StreamBeat& beat = data.push();
  const std::uint32_t count = std::min(beat_bytes_, transfer_.bytes - sent_);
  source_(transfer_, sent_, beat.data.data(), count);
  sent_ += count;
  beat.bytes = static_cast<int>(count);
  beat.last = sent_ == transfer_.bytes;
  push_from_ = now + interval_;
  if (beat.last) phase_ = Phase::end;
}

}  // namespace fansim::decoupled
