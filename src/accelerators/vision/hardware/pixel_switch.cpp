// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/pixel_switch.h"

namespace fansim::vision {

void PixelSwitch::step() {
  if (start.can_pop()) {
    job_ = start.pop().job;
    next_ = {};
    std::size_t before = 0;
    for (const UnitCode unit : job_->route) {
      if (unit == UnitCode::none) break;
      next_[before] = unit;
      before = static_cast<std::size_t>(unit);
    }
  }
  forward(from_reader, next_[0]);
  bool empty = start.empty() && from_reader.empty();
  for (std::size_t i = 0; i < kUnits; ++i) {
    forward(from[i], next_[i + 1]);
    empty = empty && from[i].empty();
  }
  if (empty) sleep();
}

void PixelSwitch::forward(sim::StreamIn<PixelBeat>& in, UnitCode to_unit) {
  if (!in.can_pop()) return;
  sim::StreamOut<PixelBeat>& out = to_unit == UnitCode::none ? to_packer : to[static_cast<std::size_t>(to_unit) - 1];
  if (!out.can_push()) violation("a beat was refused");
  out.push(in.pop());
  ++beats_;
}

}  // namespace fansim::vision
