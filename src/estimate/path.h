// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/resources.h"

namespace fansim::estimate {

enum class Terminal { register_, bram, dsp };

// The way of a signal from one clocked element to the next within a cycle, as the block's structure has it.
struct Path {
  const char* name = "";
  int luts = 0;        // in series, those of carry chains among them; a net before each, one after the last
  int chains = 0;      // carry chains in series
  int chain_bits = 0;  // of all of them
  int products = 0;    // in a DSP slice without its middle register
  double span = 0;     // CLBs that its widest net has to reach
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
    path.from = start, path.to = end;
    return path;
  }
};

// The CLBs that so much takes, packed: eight LUTs and sixteen registers each; a block RAM is as high as five, a DSP
// slice as two and a half (UG574, UG573, UG579).
inline double clbs(const contract::Resources& use) {
  const double luts = use.lut / 8.0, registers = use.ff / 16.0;
  return (luts > registers ? luts : registers) + 2.5 * use.dsp + 5 * use.bram36;
}

// LUTs in series of an n:1 choice per bit, four inputs each.
inline int mux_levels(int inputs) {
  int levels = 0;
  for (; inputs > 1; inputs = (inputs + 3) / 4) ++levels;
  return levels;
}

// What a memory of so many words reads, chosen from block RAMs below one another.
Path read_path(int words);

}  // namespace fansim::estimate
