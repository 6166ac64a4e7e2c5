// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "compile/compile.h"
#include "contract/dual_int8.h"

namespace fansim::compile {

// Why a chain cannot sum a layer's products; nothing if it can. `terms` is what the user set, by its name.
std::optional<Misfit> chain_misfit(const std::string& terms, const contract::DualInt8Config& chain);

}  // namespace fansim::compile
