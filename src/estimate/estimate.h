// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "contract/device.h"
#include "contract/resources.h"
#include "estimate/path.h"

namespace fansim::estimate {

struct BlockUse {
  std::string name;
  contract::Resources use;
  std::vector<Path> paths = {};  // its longest, one of each kind
};

struct Fit {
  bool fits = true;
  bool buildable = true;             // false: no device of that kind takes it, however large
  std::vector<std::string> reasons;  // "BRAM36 1024 of 912"

  void refuse(const std::string& reason) {
    fits = buildable = false;
    reasons.push_back(reason);
  }
};

// Where the time of the limiting path goes.
struct PathPart {
  const char* name;
  double ns;
};

// The highest clock, and what sets it: a block's path, or a primitive that cannot be clocked faster.
struct Fmax {
  double hz = 0;
  std::string limit;       // the path's name, or the primitive's
  std::string block = {};  // whose path it is; empty: a primitive
  std::vector<PathPart> parts = {};

  double ns() const { return 1e9 / hz; }
  // What a path's figure may be off by, of itself; a primitive's is the data sheet's.
  double uncertainty() const;
};

struct Power {
  // Constants, solved from a publication's figures.
  double static_w = 0;
  double processing_system_w = 0;
  // Modelled: the blocks' dynamic power.
  double dsp_w = 0, bram_w = 0, logic_w = 0, registers_w = 0;

  double blocks_w() const { return dsp_w + bram_w + logic_w + registers_w; }
  double total_w() const { return static_w + processing_system_w + blocks_w(); }
};

struct Estimate {
  std::vector<BlockUse> blocks;
  contract::Resources total;
  Fit fit;
  Fmax fmax;
  Power power;
};

// What a design costs on its device before anything is synthesised, from the bill of its blocks; coefficients.h holds
// every figure behind it.
Estimate estimate_of(std::vector<BlockUse> blocks, const contract::Device& device, double clock_hz);

// The parts of it.
Fit fit(const contract::Resources& use, const contract::Device& device);
Fmax fmax(const contract::Device& device, const std::vector<BlockUse>& blocks, const contract::Resources& total);
const char* processing_system_source(const contract::Device& device);
Power power(double clock_hz, const contract::Device& device, const contract::Resources& use);

}  // namespace fansim::estimate
