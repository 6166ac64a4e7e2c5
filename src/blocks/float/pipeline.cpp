// SPDX-License-Identifier: Apache-2.0
#include "blocks/float/pipeline.h"

namespace fansim::blocks {

void FloatPipeline::step() {
  if (pipeline_.empty() && operands.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid()) {
    if (!results.can_push()) {
      ++stalls_;
      return;
    }
    results.push() = pipeline_.out();
  }
  pipeline_.advance();
  if (!operands.can_pop()) return;
  arith::FloatEvents events;
  const std::uint64_t word = compute(operands.pop(), events);
  pipeline_.enter() = {word, events.saturations > 0, events.underflows > 0};
  ++beats_;
  saturations_ += events.saturations;
  underflows_ += events.underflows;
}

}  // namespace fansim::blocks
