// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/temporary_folder.h"

namespace fansim::cli {

// `run CONFIG NETWORK ... --timing-only` in a process of its own, as its JSON has it; of all layers unless some are
// named.
nlohmann::json simulated_run(const std::string& config, const std::string& network,
                             const std::vector<std::string>& settings, const TemporaryFolder& folder,
                             const std::string& layers = "");

// Its total.
nlohmann::json simulated_total(const std::string& config, const std::string& network,
                               const std::vector<std::string>& settings, const TemporaryFolder& folder);

}  // namespace fansim::cli
