// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "accelerators/stream/config/config.h"
#include "contract/resources.h"

namespace fansim::stream {

// Returns the resources of a block of block_uses() as Yosys synthesises its twins; nothing for a block without a twin,
// such as a vendor core.
std::optional<contract::Resources> yosys_use(const std::string& block, const Config& config);

}  // namespace fansim::stream
