// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::estimate {

// Returns the fewest block RAMs, in halves of a RAMB36E2, that hold `depth` words of `width` bits with one write and
// one read port. Each column of the memory takes the aspect ratio that needs the fewest (UG573: RAMB18E2 16K x 1 ... 1K
// x 18, and 512 x 36 as simple dual port; a RAMB36E2 is two of them).
double bram36(int width, int depth);

// Holds what Yosys 0.23 uses: block RAMs of one aspect ratio, in as many rows and columns as depth and width need. The
// ratio is the one for which blocks and the selection of the row together cost least.
struct YosysBram {
  double bram36 = 0;
  int rows = 0;  // rows of block RAMs
};
YosysBram yosys_bram(int width, int depth);
inline double yosys_bram36(int width, int depth) { return yosys_bram(width, depth).bram36; }

}  // namespace fansim::estimate
