// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/store_ports.h"
#include "contract/resources.h"

namespace fansim::tiled {

// An array in block RAM, as FAQ-CNN's eqs. (3) to (5) have it: partitioned into banks, a port or two each.
struct BankedStore {
  BramMode mode = BramMode::sp;
  int banks = 1;   // the partition factor
  int bits = 8;    // of a word of a bank
  int words = 0;   // of a bank
  int halves = 1;  // 2: double-buffered

  int instances() const { return banks * halves; }
  // banks * ceil(bits / width) * ceil(words / depth) * halves, in the aspect ratio that takes least, a RAMB18E2 being a
  // half.
  double bram36() const;
};

// A channel's values by the columns of a map, as many at once as a beat brings: FAQ-CNN partitions 32-bit words of
// bytes by 4 (4.2). Values narrower than a byte share their word's bank; the paper does not say how it stores them.
BankedStore columns_of(const Encoding& encoding, int values);

constexpr int kLutRamWords = 64;
constexpr int kLutsOfClb = 8;

// `words` words of `bits` bits in single-port distributed RAM, a LUT for 64 bits (UG574, RAM64X1S), with what
// multiplexes more than the eight LUTs of a CLB.
contract::Resources lut_ram(int bits, int words);

}  // namespace fansim::tiled
