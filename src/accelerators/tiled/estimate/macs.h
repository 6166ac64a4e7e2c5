// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "contract/resources.h"

namespace fansim::tiled {

// Divides an engine's MACs by where they are made. A product takes one slice for 8 x 8 bits as for 16 x 16 (FAQ-CNN
// 4.5).
struct MacSplit {
  int dsp = 0, lut = 0;
};
MacSplit mac_split(const EngineConfig& engine);

// Returns the LUTs of the method's operator in these widths.
double luts_per_mac(const QuantisationConfig& format);

// Returns the multipliers and adder trees of an engine, without accumulators. `luts_per_mac` is for a MAC in LUTs and
// includes its share of the tree (Table 1 counts the whole multiply-accumulate).
contract::Resources macs(const EngineConfig& engine, const QuantisationConfig& format, double luts_per_mac);

}  // namespace fansim::tiled
