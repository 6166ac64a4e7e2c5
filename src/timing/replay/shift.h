// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/replay/period.h"

namespace fansim::timing {

// Makes a state without counters `by` edges later.
template <class State>
void shift(State& state, Edge by) {
  Shift later(by, nullptr);
  state.visit(later);
}

}  // namespace fansim::timing
