// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fansim::cli {

// docs/networks.md, whose tables of layer types `describe` shows; the build puts it into the program.
extern const std::string_view networks_page;

// The layer types of networks, and what the page says of one.
std::vector<std::string> layer_types();
std::string layer_type_text(const std::string& type);

// A space by its file: parameters and their values, what follows from them, constraints, objectives.
std::string space_text(const std::string& file);

// Every "block.key" of a configuration's blocks, whatever the system; and its row.
std::vector<std::string> block_keys();
std::string key_text(const std::string& key);

}  // namespace fansim::cli
