// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "contract/resources.h"

namespace fansim::stream {

// Chains of packed slices with the registers that bring every operand to its slice in time, up to the sums that enter
// the adder tree.
contract::Resources chain_array(const ArrayConfig& array);

}  // namespace fansim::stream
