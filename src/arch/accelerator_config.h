// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "arch/stream_config.h"
#include "arch/tiled_config.h"

namespace fansim::arch {

using AcceleratorConfig = std::variant<StreamConfig, TiledConfig>;

// Reads a configuration of whatever kind its `system` names; throws base::UserError.
AcceleratorConfig load_config(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace fansim::arch
