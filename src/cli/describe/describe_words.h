// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fansim::cli {

// Holds the text of docs/networks.md, which the build embeds. `describe` shows its tables of layer types.
extern const std::string_view networks_page;

// Return the layer types of networks, and what the page says about one.
std::vector<std::string> layer_types();
std::string layer_type_text(const std::string& type);

// Describes a space from its file: parameters and their values, derived keys, constraints and objectives.
std::string space_text(const std::string& file);

// Return every "block.key" of a configuration's blocks, whatever the system, and the row of one.
std::vector<std::string> block_keys();
std::string key_text(const std::string& key);

// Says how a value of that type is written and what it does; empty for types that need no word.
std::string type_text(const std::string& type);

}  // namespace fansim::cli
