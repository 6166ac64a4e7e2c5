// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "contract/resources.h"

// This file estimates what Yosys makes of the Verilog twins in tests/rtl.
namespace fansim::estimate {

// Maps a twin's parameters, by their names in Verilog, to values. Those left out have the twin's default.
using Parameters = std::map<std::string, int>;

// Holds the cells that follow directly from a twin's parameters, and the structures whose cost in LUTs and flip-flops
// is fitted.
struct Structure {
  std::vector<double> lut, ff;
  int srl = 0;
  double bram36 = 0;
  int dsp = 0;
  // Names a twin inside this one, whose LUTs cost what they cost alone; empty: none.
  std::string inner = {};
  Parameters inner_parameters = {};
};

struct TwinUse {
  double lut = 0;  // without shift registers
  double ff = 0;
  int srl = 0;
  double bram36 = 0;
  int dsp = 0;

  // Returns the resources as a device counts them, where a shift register is a LUT.
  contract::Resources resources() const;
};

// Holds the cost of each structure of a twin, in the order of Structure; yosys_coefficients.cpp has the values.
struct TwinCoefficients {
  const char* twin;
  std::vector<double> lut, ff;
};
const std::vector<TwinCoefficients>& yosys_coefficients();

std::vector<std::string> twins();
Structure structure(const std::string& twin, const Parameters& parameters);  // `twin` is one of twins()
TwinUse twin_use(const std::string& twin, const Parameters& parameters);

}  // namespace fansim::estimate
