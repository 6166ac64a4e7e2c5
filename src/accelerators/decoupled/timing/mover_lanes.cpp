// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/timing/mover_lanes.h"

#include <algorithm>

#include "base/units.h"

namespace fansim::decoupled {
namespace {

contract::RowTransfers rows_of(const Transfer& transfer) {
  return {transfer.address, transfer.bytes, transfer.bytes, 1};
}

}  // namespace

LoadLaneTime::LoadLaneTime(const Config& config, timing::Memory& memory, int port, bool closed_forms)
    : beat_bytes_(config.axi.beat_bytes()),
      pad_interval_(config.load.pad_interval),
      row_setup_(config.load.row_setup),
      reads_(config.dma, config.axi, memory, port, closed_forms) {}

void LoadLaneTime::begin(const Transfers& transfers, timing::Edge at) {
  transfers_.emplace(transfers);
  at_ = at;
  next();
}

// Goes on to the push of the next transfer's command.
void LoadLaneTime::next() {
  while (transfers_->next(transfer_)) {
    at_ += transfer_.before * pad_interval_;
    if (transfer_.bytes > 0) {
      at_ += row_setup_;
      reads_.begin(rows_of(transfer_), at_++);
      left_ = base::ceil_div<std::int64_t>(transfer_.bytes, beat_bytes_);
      return;
    }
    at_ += transfer_.behind * pad_interval_;
  }
  transfers_.reset();
}

bool LoadLaneTime::advance() {
  bool moved = false;
  while (transfers_) {
    if (const std::int64_t beats = reads_.in_step(at_, 1, left_); beats > 0) {
      reads_.pop_in_step(at_, 1, beats);
      at_ += beats;
      left_ -= beats;
    } else if (timing::Edge popped = 0; reads_.next(at_, popped)) {
      at_ = popped + 1;
      --left_;
    } else {
      return moved;
    }
    moved = true;
    if (left_ > 0) continue;
    at_ += transfer_.behind * pad_interval_;
    next();
  }
  return moved;
}

StoreLaneTime::StoreLaneTime(const Config& config, timing::Memory& memory, int port, bool closed_forms)
    : beat_bytes_(config.axi.beat_bytes()),
      row_setup_(config.store.row_setup),
      writes_(config.dma, config.axi, memory, port, closed_forms) {}

void StoreLaneTime::begin(const Transfers& transfers, timing::Edge at, int beat_interval) {
  transfers_.emplace(transfers);
  at_ = at;
  interval_ = beat_interval;
  next();
}

void StoreLaneTime::next() {
  Transfer transfer;
  writing_ = transfers_->next(transfer) && transfer.bytes > 0;
  if (!writing_) return transfers_.reset();
  at_ += row_setup_;
  writes_.begin(rows_of(transfer), at_++);
  left_ = base::ceil_div<std::int64_t>(transfer.bytes, beat_bytes_);
}

bool StoreLaneTime::advance() {
  bool moved = false;
  while (transfers_) {
    if (left_ == 0) {
      if (!writes_.done()) return moved;
      at_ = writes_.answered() + 2;  // the end is popped an edge behind the last response
      next();
    } else if (const std::int64_t beats = writes_.push_in_step(at_, interval_, left_); beats > 0) {
      at_ += beats * interval_;
      left_ -= beats;
    } else if (writes_.has_room()) {
      const timing::Edge pushed = std::max(at_, writes_.room());
      writes_.push(pushed);
      at_ = pushed + interval_;
      --left_;
    } else {
      return moved;
    }
    moved = true;
  }
  return moved;
}

}  // namespace fansim::decoupled
