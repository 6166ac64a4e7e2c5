// SPDX-License-Identifier: Apache-2.0
#include "contract/result.h"

#include <stdexcept>

namespace fansim::contract {

const StageResult& stage(const LayerResult& layer, const std::string& name) {
  for (const StageResult& stage : layer.stages)
    if (stage.name == name) return stage;
  throw std::out_of_range(layer.name + " has no stage " + name);
}

}  // namespace fansim::contract
