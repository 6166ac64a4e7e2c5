// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "contract/result.h"
#include "network/network.h"
#include "runs/observer.h"
#include "runs/prepare.h"
#include "runs/run.h"

// The last stage of a run: what a report, or a page, shows of it.
namespace fansim::runs {

// Keeps the input now, and the outputs that no layer reads when the observer sees them, where they are pictures that a
// page can show.
void keep_pictures(const network::Network& network, Observer& observer, std::vector<Shown>& pictures);

// Returns a row for every layer of the program: its results if it `ran`, its output as the observer saw it, and its
// mapping.
std::vector<contract::LayerResult> every_layer(const Prepared& prepared, const std::vector<contract::LayerPlan>& plans,
                                               const std::vector<contract::LayerResult>& ran, const Observer& observer);

}  // namespace fansim::runs
