// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::stream {

// What the streaming accelerator says of a layer: where its cycles went, seen from the MAC array.
const contract::Account& account();

}  // namespace fansim::stream
