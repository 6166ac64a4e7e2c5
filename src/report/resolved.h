// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "contract/resolved.h"

namespace fansim::report {

// Writes the keys as a configuration file has them.
std::string resolved_yaml(const contract::ResolvedConfig& config);
// Writes the same keys as JSON, numbers as numbers.
nlohmann::ordered_json resolved_json(const contract::ResolvedConfig& config);
// Writes what each cost of the host and of the memory comes to, in cycles of its clock and in time.
nlohmann::ordered_json costs_json(const contract::ResolvedConfig& config);

}  // namespace fansim::report
