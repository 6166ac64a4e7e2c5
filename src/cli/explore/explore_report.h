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

// What a configuration says of each key, "block.key".
using Settings = std::map<std::string, std::string>;
Settings settings_of(const contract::ResolvedConfig& config);

// The one command that simulates a point by itself; what the space's configuration, as its file has it, says already is
// left out.
std::string run_command(const explore::Space& space, const Settings& base, const explore::Point& point,
                        const std::string& network);

// By parameter.
std::vector<report::Exploration::Refused> rows_of(const std::vector<accelerators::RefusedValue>& refused);

// What a search found, for the writers; who searched and what is for the caller to add.
report::Exploration exploration_of(const explore::Space& space, const Settings& base, const std::string& network,
                                   const explore::SearchResult& result);

// What lies beside its front and is excluded.
void add_neighbours(const explore::Space& space, const Settings& base, const std::string& network,
                    const explore::Neighbours& neighbours, report::Exploration& exploration);

}  // namespace fansim::cli
