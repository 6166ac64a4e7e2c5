// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "arch/resources.h"
#include "arch/stream_config.h"

namespace fansim::estimate {

// A block of block_uses() as Yosys synthesises its twins; nothing for a block without one: vendor cores.
std::optional<arch::Resources> yosys_use(const std::string& block, const arch::StreamConfig& config);

}  // namespace fansim::estimate
