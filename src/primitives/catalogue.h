// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "primitives/primitive.h"

namespace fansim::primitives {

const std::vector<Primitive>& catalogue();

// Returns the primitive of that name, in any case, or null if there is none.
const Primitive* find_primitive(const std::string& name);

}  // namespace fansim::primitives
