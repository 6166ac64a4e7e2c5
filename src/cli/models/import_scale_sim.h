// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::cli {

// TOPOLOGY.csv: a network file for each row in a folder. ARRAY.cfg: the settings that come nearest, in a table.
bool is_topology(const std::string& path);
bool is_array(const std::string& path);
int import_topology(const std::string& path, const std::string& folder);
int import_array(const std::string& path);

}  // namespace fansim::cli
