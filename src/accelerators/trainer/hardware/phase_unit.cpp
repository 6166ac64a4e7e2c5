// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/phase_unit.h"

namespace fansim::trainer {

void PhaseUnit::step() {
  if (!busy_) {
    if (start.empty()) {
      sleep();
      return;
    }
    if (!start.can_pop()) return;
    phase_ = start.pop();
    edges_ = begin();
    at_ = 0;
    busy_ = true;
    return;
  }
  ++busy_edges_;
  progress();
  work(++at_);
  if (at_ < edges_) return;
  busy_ = false;
  ++phases_;
  ended_.set(ended_.next() + 1);
}

}  // namespace fansim::trainer
