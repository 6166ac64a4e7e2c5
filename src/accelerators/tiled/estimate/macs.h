// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "contract/resources.h"

namespace fansim::tiled {

// An engine's MACs by where they are made. FAQ-CNN 4.5: one slice for 8 x 8 bits as for 16 x 16.
struct MacSplit {
  int dsp = 0, lut = 0;
};
MacSplit mac_split(const EngineConfig& engine);

// LUTs of the method's operator in these widths.
double luts_per_mac(const QuantisationConfig& format);

// Multipliers and adder trees of an engine, without accumulators. `luts_per_mac`: of a MAC in LUTs, its share of the
// tree included (Table 1 counts the whole multiply-accumulate).
contract::Resources macs(const EngineConfig& engine, const QuantisationConfig& format, double luts_per_mac);

}  // namespace fansim::tiled
