// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/program.h"
#include "contract/result.h"

namespace fansim::contract {

// Returns the result of a layer before anything is counted.
inline LayerResult result_of(const LayerPlan& plan) {
  LayerResult result;
  result.name = plan.name;
  result.type = plan.type;
  result.on_host = plan.on_host;
  result.layer = plan.layer;
  result.macs = plan.macs;
  return result;
}

}  // namespace fansim::contract
