// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// What a design uses of a device. A RAMB18 counts as half a BRAM36.
struct Resources {
  int dsp = 0;
  int lut = 0;
  int ff = 0;
  double bram36 = 0;
  int lutram = 0;  // those of the LUTs that are memory or shift register
  int uram = 0;

  Resources& operator+=(const Resources& other) {
    dsp += other.dsp;
    lut += other.lut;
    ff += other.ff;
    bram36 += other.bram36;
    lutram += other.lutram;
    uram += other.uram;
    return *this;
  }
};

}  // namespace fansim::contract
