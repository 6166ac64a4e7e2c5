// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arch/stream_config.h"
#include "arch/tiled_config.h"

// Changes to a configuration that has been read, at a thousandth of the cost of reading it again: what a search does.
namespace fansim::arch {

// Sets the field "block.field", or a clock. What is wrong with it; empty: nothing.
std::string set_field(StreamConfig& config, const std::string& path, const std::string& text);
std::string set_field(TiledConfig& config, const std::string& path, const std::string& text);

// What the reader of a file would refuse of the configuration; empty: nothing.
std::string refusal(const StreamConfig& config);
std::string refusal(const TiledConfig& config);

}  // namespace fansim::arch
