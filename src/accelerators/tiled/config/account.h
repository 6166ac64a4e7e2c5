// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::tiled {

// Returns what the tiled accelerator reports about a layer: where its cycles went, as seen from the engine that
// computes it.
const contract::Account& account();

}  // namespace fansim::tiled
