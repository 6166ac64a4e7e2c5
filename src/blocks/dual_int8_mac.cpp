// SPDX-License-Identifier: Apache-2.0
#include "blocks/dual_int8_mac.h"

namespace fansim::blocks {

void DualInt8Mac::step() {
  if (pipeline_.empty() && pairs.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid() && pipeline_.out()) {
    if (!sums.can_push()) {
      ++stalls_;
      return;
    }
    sums.push() = chain_.sums();
  }
  pipeline_.advance();
  if (!pairs.can_pop()) {
    chain_.step(nullptr);
    return;
  }
  const Int8Pairs& beat = pairs.pop();
  pipeline_.enter() = beat.last;
  chain_.step(&beat);
  ++beats_;
}

}  // namespace fansim::blocks
