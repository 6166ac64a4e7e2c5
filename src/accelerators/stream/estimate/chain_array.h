// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "contract/resources.h"

namespace fansim::stream {

// Estimates the chains of packed slices, up to the sums that enter the adder tree. It includes the registers that delay
// every operand until its slice needs it.
contract::Resources chain_array(const ArrayConfig& array);

}  // namespace fansim::stream
