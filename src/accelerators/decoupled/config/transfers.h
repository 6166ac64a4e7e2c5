// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/decoupled/config/command.h"

namespace fansim::decoupled {

// Describes a transfer of a command, and the border around it.
struct Transfer {
  int plane = 0;                         // number of the plane in the command
  std::uint32_t row = 0, offset = 0;     // first row of the plane, and first byte in that row
  std::uint32_t address = 0, bytes = 0;  // 0: the plane is all border
  std::int64_t before = 0, behind = 0;   // border positions
};

// Lists the transfers of one lane of a unit in their order, without times.
class Transfers {
 public:
  // Lane `lane` of `lanes` has every lanes-th plane. A transfer has at most `longest` bytes. If `merged`, adjacent rows
  // without a border between them form one transfer. A longer row is divided into transfers of whole beats.
  Transfers(const Command& command, bool merged, int lane, int lanes, std::uint32_t longest, int beat_bytes)
      : planes_(command.planes),
        border_(command.border),
        columns_(command.inputs.columns),
        lanes_(lanes),
        plane_(lane),
        longest_(longest),
        beat_bytes_(static_cast<std::uint32_t>(beat_bytes)) {
    const contract::RowTransfers& rows = planes_.rows;
    if (merged && border_.left + border_.right == 0 && rows.row_bytes <= longest) at_once_ = rows.at_once(longest);
  }

  // Returns the next transfer in `transfer`; false: there is none.
  bool next(Transfer& transfer) {
    if (plane_ >= planes_.planes) return false;
    const contract::RowTransfers& rows = planes_.rows;
    const bool empty = rows.rows == 0 || rows.row_bytes == 0;
    transfer = {plane_, row_, offset_, 0, 0, 0, 0};
    if (row_ == 0 && offset_ == 0) transfer.before = std::int64_t{border_.top} * columns_;
    if (!empty) fill(transfer);
    if (empty || row_ == rows.rows) {
      transfer.behind += std::int64_t{border_.bottom} * columns_;
      row_ = 0;
      plane_ += lanes_;
    }
    return true;
  }

 private:
  void fill(Transfer& transfer) {
    const contract::RowTransfers& rows = planes_.rows;
    transfer.address =
        rows.address + static_cast<std::uint32_t>(plane_) * planes_.plane_pitch + row_ * rows.pitch + offset_;
    if (offset_ == 0) transfer.before += border_.left;
    if (rows.row_bytes - offset_ > longest_) {
      transfer.bytes = longest_ / beat_bytes_ * beat_bytes_;
      offset_ += transfer.bytes;
      return;
    }
    const std::uint32_t together = std::min(at_once_, rows.rows - row_);
    transfer.bytes = together * rows.row_bytes - offset_;
    transfer.behind = border_.right;
    row_ += together;
    offset_ = 0;
  }

  const Planes planes_;
  const Border border_;
  const int columns_, lanes_;
  int plane_;
  std::uint32_t row_ = 0, offset_ = 0, at_once_ = 1;
  const std::uint32_t longest_, beat_bytes_;
};

}  // namespace fansim::decoupled
