// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::stream {

// Returns what the streaming accelerator reports about a layer: where its cycles went, as seen from the MAC array.
const contract::Account& account();

}  // namespace fansim::stream
