// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "timing/replay/transition_table.h"

namespace fansim::tiled {

// What paths did, of machines whose paths are configured alike.
struct PathTables {
  std::size_t size() const { return inputs.size() + weights.size() + outputs.size(); }
  bool full() const { return inputs.full() || weights.full() || outputs.full(); }

  timing::TransitionTable inputs, weights, outputs;
};

}  // namespace fansim::tiled
