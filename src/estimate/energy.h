// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contract/ddr.h"
#include "estimate/estimate.h"

namespace fansim::estimate {

// An amount of energy or power that sources give differently: the least, a typical one, and the most.
struct Spread {
  double low = 0, typical = 0, high = 0;

  Spread operator*(double factor) const { return {low * factor, typical * factor, high * factor}; }
  Spread operator+(const Spread& other) const { return {low + other.low, typical + other.typical, high + other.high}; }
};

// Holds what a frame does.
struct FrameUse {
  double seconds = 0;
  double macs = 0;
  double ddr_bytes = 0;
  // Bytes into the multipliers, and bytes out of and into the on-chip buffers; empty: the machine does not count them.
  std::optional<double> register_bytes, buffer_bytes;
};

// Holds how often a frame uses one level of the machine, and what each use takes.
struct EnergyLevel {
  const char* name;
  const char* unit;  // of what is counted: "MAC" or "B"
  double count = 0;
  Spread pj;           // of each
  const char* source;  // where the three figures are from

  Spread mj() const { return pj * (count * 1e-9); }
};

// Holds the energy of a frame by two ways that share no constant but the energy of a DSP slice, of a block RAM and of a
// flip-flop: the chip's estimated power times the time, and every multiplication and byte at each level of memory.
struct Energy {
  double processing_system_mj = 0, static_mj = 0, blocks_mj = 0;  // power times time
  std::vector<EnergyLevel> levels;                                // the last one is DDR
  Spread ddr_standby_mj;                                          // of the memory devices, whatever they are asked for

  double chip_mj() const { return processing_system_mj + static_mj + blocks_mj; }
  Spread ddr_mj() const { return levels.back().mj() + ddr_standby_mj; }
  // Returns the energy of the chip and of its memory.
  Spread whole_mj() const;
};

// Returns the number of memory devices side by side; 0 if the configuration names none.
int memory_devices(const contract::DdrConfig& ddr);

Energy energy(const FrameUse& frame, const Power& power, const contract::DdrConfig& ddr);

}  // namespace fansim::estimate
