// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::contract {

// The tool whose results the resource estimate is to meet.
enum class Coefficients { vivado, yosys };

// What a device offers, and what its silicon limits.
struct Device {
  std::string name;
  int dsp = 0;
  int lut = 0;
  int ff = 0;
  int bram36 = 0;
  double dsp_fmax_mhz = 0;   // DSP48E2 with all pipeline registers
  double bram_fmax_mhz = 0;  // block RAM with its output register
  std::string part;          // the vendor's, without package and speed grade
  Coefficients coefficients = Coefficients::vivado;
};

}  // namespace fansim::contract
