// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/stream/config/command.h"

namespace fansim::stream {

// Holds the lines of a block's tile that are loaded before a row of passes, for an array of `rows` tap rows. The first
// row of a block loads all its lines; a further row loads only the lines that are new in its windows.
struct LineFill {
  int first = 0, lines = 0;

  LineFill(const Command& job, int block, int row, int rows) {
    const bool whole = job.matrix || job.hidden_input;
    const int fresh = job.parallel * job.stride;
    lines = whole ? rows : fresh - job.stride + std::min(rows, job.kernel - block * rows);
    if (row == 0) return;
    first = row * fresh + std::max(0, lines - fresh);
    lines = std::min(lines, fresh);
  }
};

}  // namespace fansim::stream
