// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/row_mover.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerators/vision/config/rows.h"

namespace fansim::vision {

RowMover::RowMover(const sc_core::sc_module_name& name, Rows rows, int length_bits)
    : Module(name), rows_(rows), longest_((std::uint32_t{1} << length_bits) - 1) {}

void RowMover::step() {
  if (!moving_) {
    if (start.empty()) {
      sleep();
      return;
    }
    if (start.can_pop()) begin(*start.pop().job);
  } else if (done.empty()) {
    sleep();
  } else if (done.can_pop()) {
    const axi::TransferDone& ended = done.pop();
    if (ended.errors != 0) violation(fmt::format("transfer ended with DMASR {:#x}", ended.errors));
    moving_ = left_ > 0;
    if (moving_)
      send();
    else
      jobs_done_.set(jobs_done_.next() + 1);
  }
}

void RowMover::begin(const Job& job) {
  const contract::RowTransfers rows = rows_of(job, rows_);
  address_ = rows.address;
  pitch_ = rows.pitch;
  row_bytes_ = rows.row_bytes;
  left_ = rows.rows;
  rows_at_once_ = rows.at_once(longest_);
  if (left_ == 0) return;
  moving_ = true;
  send();
}

void RowMover::send() {
  const std::uint32_t rows = std::min(left_, rows_at_once_);
  left_ -= rows;
  command.push({address_, rows * row_bytes_, left_ == 0, false});
  address_ += rows * pitch_;
  ++transfers_;
  bytes_ += rows * row_bytes_;
}

}  // namespace fansim::vision
