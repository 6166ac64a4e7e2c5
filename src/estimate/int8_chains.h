// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "contract/device.h"
#include "contract/dual_int8.h"
#include "contract/resources.h"
#include "estimate/estimate.h"

namespace fansim::estimate {

// The slices of chains that sum `products` of `pairs` of output channels, `terms` in each, the last one what is left;
// and the registers that bring every operand to its slice in time. Those of a shared activation are common to all
// pairs.
contract::Resources int8_chains(int products, int terms, int pairs, contract::Shared shared);

// Refuses two packed products per slice where its operand does not hold them: a * 2^18 + b of two signed bytes and the
// sign of their sum (WP486, UG579). `key` asks for them, `instead` is what to use.
void refuse_packing(const std::string& key, const char* instead, const contract::Device& device, Fit& fit);

}  // namespace fansim::estimate
