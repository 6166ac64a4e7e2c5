// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "inject/campaign.h"

namespace fansim::inject {

// The places among these that the request draws bits from. UserError if a pattern fits none.
std::vector<PlaceBits> chosen(const Request& request, const std::vector<PlaceBits>& places);

// The request's faults: the n-th depends on the seed and on n alone. `protocol`: kinds of faults, each at its place,
// that the machine has beside bits.
std::vector<Drawn> draw(const Request& request, const std::vector<PlaceBits>& places,
                        const std::vector<contract::Fault>& protocol, base::Cycles cycles);

}  // namespace fansim::inject
