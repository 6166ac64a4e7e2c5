// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::arch {

// What a device offers, and what its silicon limits.
struct Device {
  std::string name;
  int dsp = 0;
  int lut = 0;
  int ff = 0;
  int bram36 = 0;
  double dsp_fmax_mhz = 0;   // DSP48E2 with all pipeline registers
  double bram_fmax_mhz = 0;  // block RAM with its output register
};

}  // namespace fansim::arch
