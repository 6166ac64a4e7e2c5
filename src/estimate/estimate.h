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
  std::vector<Path> paths = {};  // its longest path of each kind
};

struct Fit {
  bool fits = true;
  bool buildable = true;             // false: no device of that kind can hold it, however large
  std::vector<std::string> reasons;  // for example "BRAM36 1024 of 912"

  void refuse(const std::string& reason) {
    fits = buildable = false;
    reasons.push_back(reason);
  }
};

// Holds one part of the delay of the limiting path.
struct PathPart {
  const char* name;
  double ns;
};

// Holds the highest clock and what limits it: a block's path, or a primitive that cannot be clocked faster.
struct Fmax {
  double hz = 0;
  std::string limit;       // name of the path or of the primitive
  std::string block = {};  // block of the path; empty: a primitive limits
  std::vector<PathPart> parts = {};
  // The ends of the spread: paths scatter, primitives do not.
  double least_hz = 0, most_hz = 0;

  double ns() const { return 1e9 / hz; }
  // Returns the relative uncertainty: that of a path's estimate, or 0 for a primitive, whose figure is the data
  // sheet's.
  double uncertainty() const;
};

struct Power {
  // These are constants, solved from a publication's figures.
  double static_w = 0;
  double processing_system_w = 0;
  // These are modelled: the dynamic power of the blocks.
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

// Estimates what a design costs on its device before synthesis, from the resource estimates of its blocks.
// coefficients.h holds every figure behind it.
Estimate estimate_of(std::vector<BlockUse> blocks, const contract::Device& device, double clock_hz);

// These functions compute the parts of the estimate.
Fit fit(const contract::Resources& use, const contract::Device& device);
Fmax fmax(const contract::Device& device, const std::vector<BlockUse>& blocks, const contract::Resources& total);
const char* processing_system_source(const contract::Device& device);
Power power(double clock_hz, const contract::Device& device, const contract::Resources& use);

}  // namespace fansim::estimate
