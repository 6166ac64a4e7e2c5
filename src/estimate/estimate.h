// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arch/resources.h"
#include "arch/stream_config.h"

namespace fansim::estimate {

struct BlockUse {
  std::string name;
  arch::Resources use;
};

struct Fit {
  bool fits = true;
  std::vector<std::string> reasons;  // "BRAM36 1024 of 912"
};

struct Fmax {
  double hz = 0;
  std::string limit;  // what sets it
};

struct Power {
  double static_w = 0;
  double processing_system_w = 0;
  double dsp_w = 0, bram_w = 0, logic_w = 0, registers_w = 0;

  double dynamic_w() const { return processing_system_w + dsp_w + bram_w + logic_w + registers_w; }
  double total_w() const { return static_w + dynamic_w(); }
};

struct Estimate {
  std::vector<BlockUse> blocks;
  arch::Resources total;
  Fit fit;
  Fmax fmax;
  Power power;
};

// What the design costs on its device before anything is synthesised; coefficients.h holds every figure behind it.
Estimate estimate(const arch::StreamConfig& config);

// The parts of it.
std::vector<BlockUse> block_uses(const arch::StreamConfig& config);
Fit fit(const arch::Resources& use, const arch::Device& device);
Fmax fmax(const arch::Device& device, bool uses_dsp);
Power power(double clock_hz, const arch::Device& device, const arch::Resources& use);

}  // namespace fansim::estimate
