// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/store_ports.h"
#include "contract/resources.h"

namespace fansim::tiled {

// Describes an array in block RAM as in FAQ-CNN's eqs. (3) to (5): it is partitioned into banks with a port or two
// each.
struct BankedStore {
  BramMode mode = BramMode::sp;
  int banks = 1;   // the partition factor
  int bits = 8;    // of a word of a bank
  int words = 0;   // of a bank
  int halves = 1;  // 2: double-buffered

  int instances() const { return banks * halves; }
  // Returns banks * ceil(bits / width) * ceil(words / depth) * halves for the aspect ratio that takes the least, where
  // a RAMB18E2 counts as a half.
  double bram36() const;
};

// Returns the store of a channel's values, partitioned by the columns of a map into as many banks as a beat brings
// values: FAQ-CNN partitions 32-bit words of bytes by 4 (4.2). Values narrower than a byte share the bank of their
// word; the paper does not say how it stores them.
BankedStore columns_of(const Encoding& encoding, int values);

constexpr int kLutRamWords = 64;
constexpr int kLutsOfClb = 8;

// Returns `words` words of `bits` bits in single-port distributed RAM, with a LUT for 64 bits (UG574, RAM64X1S). It
// includes the multiplexers beyond those of the eight LUTs of a CLB.
contract::Resources lut_ram(int bits, int words);

}  // namespace fansim::tiled
