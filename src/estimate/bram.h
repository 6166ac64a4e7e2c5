// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::estimate {

// The fewest block RAMs, in halves of a RAMB36E2, that hold `depth` words of `width` bits with one write and one read
// port, each column of the memory in whichever aspect ratio takes least (UG573: RAMB18E2 16K x 1 ... 1K x 18, and
// 512 x 36 as simple dual port; a RAMB36E2 is two of them).
double bram36(int width, int depth);

// What Yosys 0.23 takes: as many block RAMs of one aspect ratio as rows of their depth times the width ask for, where
// blocks and the choice among rows together cost least.
struct YosysBram {
  double bram36 = 0;
  int rows = 0;  // of block RAMs below one another
};
YosysBram yosys_bram(int width, int depth);
inline double yosys_bram36(int width, int depth) { return yosys_bram(width, depth).bram36; }

}  // namespace fansim::estimate
