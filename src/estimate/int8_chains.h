// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/dual_int8.h"
#include "contract/resources.h"

namespace fansim::estimate {

// The slices of chains that sum `products` of `pairs` of output channels, `terms` in each, the last one what is left;
// and the registers that bring every operand to its slice in time. Those of a shared activation are common to all pairs.
contract::Resources int8_chains(int products, int terms, int pairs, contract::Shared shared);

}  // namespace fansim::estimate
