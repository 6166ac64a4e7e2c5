// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "contract/resources.h"

namespace fansim::estimate {

// What a netlist's cell takes of a device.
struct Cell {
  contract::Resources use;
  std::optional<bool> seven_series = std::nullopt;  // none: both families have it
};

// Returns the cell of that name, if devices of 7 series or UltraScale+ have it (UG953, UG974).
std::optional<Cell> xilinx_cell(const std::string& name);

}  // namespace fansim::estimate
