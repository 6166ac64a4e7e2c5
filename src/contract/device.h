// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::contract {

// The tool whose results the resource estimate predicts.
enum class Coefficients { vivado, yosys };

enum class Family { zynq_7000, zynq_ultrascale_plus, virtex_ultrascale_plus, kintex_ultrascale_plus };
constexpr const char* kFamilies[] = {"zynq_7000", "zynq_ultrascale_plus", "virtex_ultrascale_plus",
                                     "kintex_ultrascale_plus"};

enum class DspSlice { dsp48e1, dsp48e2 };

// Factors on an estimate, one for each kind of resource. `fansim calibrate` derives them from a report of synthesis.
struct ResourceScale {
  double dsp = 1, lut = 1, ff = 1, bram36 = 1;

  static constexpr double kLeast = 0.01, kMost = 100;
  bool none() const { return dsp == 1 && lut == 1 && ff == 1 && bram36 == 1; }
};

// What a device offers, and the limits of its silicon.
struct Device {
  std::string name;
  int dsp = 0;
  int lut = 0;
  int ff = 0;
  int bram36 = 0;
  double dsp_fmax_mhz = 0;   // DSP slice with all pipeline registers
  double bram_fmax_mhz = 0;  // block RAM with its output register
  std::string part;          // the vendor's name, without package and speed grade
  Coefficients coefficients = Coefficients::vivado;
  Family family = Family::zynq_ultrascale_plus;
  std::string speed_grade = "-2";
  double core_volts = 0.85;   // VCCINT
  int lutram = 0;             // LUTs of SLICEM, which can be memory or shift register; they count in `lut` too
  int uram = 0;               // UltraRAM blocks, 4K x 72 bits
  int slrs = 1;               // dies (super logic regions); resources are spread evenly over them
  double uram_fmax_mhz = 0;   // UltraRAM with its output register; 0 if the device has none
  double clock_fmax_mhz = 0;  // global clock tree; 0 if not known
  ResourceScale scale = {};   // scales estimates for this device
  std::string file = {};      // the file from which it was read

  const char* family_name() const { return kFamilies[static_cast<int>(family)]; }
  bool is_ultrascale() const { return family != Family::zynq_7000; }
  bool has_processing_system() const { return family == Family::zynq_7000 || family == Family::zynq_ultrascale_plus; }
  DspSlice dsp_slice() const { return is_ultrascale() ? DspSlice::dsp48e2 : DspSlice::dsp48e1; }
  const char* dsp_slice_name() const { return is_ultrascale() ? "DSP48E2" : "DSP48E1"; }
  // Returns the bits of the multiplier's wider operand, which is signed: 27 x 18 bits (UG579), 25 x 18 (UG479).
  int dsp_operand_bits() const { return is_ultrascale() ? 27 : 25; }
};

}  // namespace fansim::contract
