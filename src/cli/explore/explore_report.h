// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "explore/neighbours.h"
#include "explore/search.h"
#include "report/exploration.h"

namespace fansim::cli {

// Maps each key, "block.key", to its value in a configuration.
using Settings = std::map<std::string, std::string>;
Settings settings_of(const contract::ResolvedConfig& config);

// Returns the one command that simulates a point by itself. It omits settings that the space's configuration file
// already has.
std::string run_command(const explore::Space& space, const Settings& base, const explore::Point& point,
                        const std::string& network);

// Groups refused values by parameter.
std::vector<report::Exploration::Refused> rows_of(const std::vector<accelerators::RefusedValue>& refused);

// Collects what a search found for the report. The caller adds the tool, the configuration and the network.
report::Exploration exploration_of(const explore::Space& space, const Settings& base, const std::string& network,
                                   const explore::SearchResult& result);

// Adds the excluded points beside the front.
void add_neighbours(const explore::Space& space, const Settings& base, const std::string& network,
                    const explore::Neighbours& neighbours, report::Exploration& exploration);

}  // namespace fansim::cli
