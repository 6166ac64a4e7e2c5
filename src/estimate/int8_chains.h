// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "contract/device.h"
#include "contract/dual_int8.h"
#include "contract/resources.h"
#include "estimate/estimate.h"

namespace fansim::estimate {

// Estimates the slices of chains that sum `products` products for each of `pairs` pairs of output channels, `terms`
// products in each chain and the rest in the last one. It includes the registers that delay every operand until its
// slice needs it; those of a shared activation serve all pairs.
contract::Resources int8_chains(int products, int terms, int pairs, contract::Shared shared);

// Refuses two packed products per slice if the slice's operand cannot hold them: a * 2^18 + b of two signed bytes and
// the sign of their sum (WP486, UG579). `key` is the setting that asks for them, `instead` what to use.
void refuse_packing(const std::string& key, const char* instead, const contract::Device& device, Fit& fit);

}  // namespace fansim::estimate
