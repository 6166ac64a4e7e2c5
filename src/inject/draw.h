// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "inject/campaign.h"

namespace fansim::inject {

// Returns the places from which the request draws bits. Throws UserError if a pattern matches none.
std::vector<PlaceBits> chosen(const Request& request, const std::vector<PlaceBits>& places);

// Draws the request's faults: the n-th depends only on the seed and on n. `protocol` lists the machine's other kinds of
// faults, each at its place.
std::vector<Drawn> draw(const Request& request, const std::vector<PlaceBits>& places,
                        const std::vector<contract::Fault>& protocol, base::Cycles cycles);

}  // namespace fansim::inject
