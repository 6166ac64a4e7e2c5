// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "contract/ddr.h"
#include "contract/result.h"
#include "estimate/energy.h"

namespace fansim::report {

// Estimates the energy of a frame: its part of these layers, which compute `pictures` frames, and so long for each.
// Levels that no layer's mapping counts are left out.
estimate::Energy energy_of(const std::vector<contract::LayerResult>& layers, int pictures, double seconds,
                           const estimate::Power& power, const contract::DdrConfig& ddr);

// Writes one line: what of the energy is a constant, and what the memory takes beside it. `source` says where the
// processing system's power is from.
std::string text(const estimate::Energy& energy, const std::string& source);
nlohmann::ordered_json energy_json(const estimate::Energy& energy, const std::string& source);

}  // namespace fansim::report
