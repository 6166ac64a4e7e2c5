// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::tiled {

// What the tiled accelerator says of a layer: where its cycles went, seen from the engine that computes it.
const contract::Account& account();

}  // namespace fansim::tiled
