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

// Adds the machine's last bucket, which gets the layer's cycles that are in no other.
inline void add_rest(LayerResult& result) {
  base::Cycles counted = 0;
  for (const base::Cycles cycles : result.buckets) counted += cycles;
  result.buckets.push_back(result.cycles - counted);
}

}  // namespace fansim::contract
