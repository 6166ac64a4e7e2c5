// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/resources.h"

namespace fansim::estimate {

enum class Terminal { register_, bram, dsp };

// Describes the path of a signal from one clocked element to the next within a cycle, as the block's structure defines
// it.
struct Path {
  const char* name = "";
  int luts = 0;        // LUTs in series, including those of carry chains; a net precedes each, and one follows the last
  int chains = 0;      // carry chains in series
  int chain_bits = 0;  // bits of all these chains together
  int products = 0;    // multiplications in a DSP slice without its middle register
  double span = 0;     // CLBs that its widest net must span
  Terminal from = Terminal::register_, to = Terminal::register_;

  Path add(int bits, int sums = 1) const {
    Path path = *this;
    path.chains += sums;
    path.chain_bits += bits;
    return path;
  }
  Path multiply(int times) const {
    Path path = *this;
    path.products += times;
    return path;
  }
  Path across(double clbs) const {
    Path path = *this;
    path.span = clbs;
    return path;
  }
  Path between(Terminal start, Terminal end) const {
    Path path = *this;
    path.from = start;
    path.to = end;
    return path;
  }
};

// Returns the CLBs that the resources occupy if they are packed: eight LUTs and sixteen registers each. A block RAM is
// as high as five CLBs, a DSP slice as two and a half (UG574, UG573, UG579).
inline double clbs(const contract::Resources& use) {
  const double luts = use.lut / 8.0, registers = use.ff / 16.0;
  return (luts > registers ? luts : registers) + 2.5 * use.dsp + 5 * use.bram36;
}

// Returns the levels of LUTs of an n:1 multiplexer, with four inputs per level.
inline int mux_levels(int inputs) {
  int levels = 0;
  for (; inputs > 1; inputs = (inputs + 3) / 4) ++levels;
  return levels;
}

// Returns the path by which a memory of `words` words is read, including the selection among rows of block RAMs.
Path read_path(int words);

}  // namespace fansim::estimate
