// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "compile/compile.h"
#include "contract/dual_int8.h"

namespace fansim::compile {

// Returns why a chain cannot sum a layer's products; nothing if it can. `terms` is the name of the parameter that the
// user set.
std::optional<Misfit> chain_misfit(const std::string& terms, const contract::DualInt8Config& chain);

}  // namespace fansim::compile
