// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/pixel_switch.h"

namespace fansim::vision {

void PixelSwitch::step() {
  if (start.can_pop()) begin(*start.pop().job);
  bool idle = start.empty();
  for (std::size_t way = 0; way < count_; ++way) idle = !forward(way) && idle;
  if (idle) sleep();
}

void PixelSwitch::begin(const Job& job) {
  ways_[0].in = &from_reader;
  count_ = 1;
  for (const UnitCode unit : job.route) {
    if (unit == UnitCode::none) break;
    const std::size_t i = static_cast<std::size_t>(unit) - 1;
    ways_[count_ - 1].out = &to[i];
    ways_[count_++].in = &from[i];
  }
  ways_[count_ - 1].out = &to_packer;
}

// Returns false if nothing is on this way, and nothing was at this edge.
bool PixelSwitch::forward(std::size_t way) {
  sim::StreamIn<PixelBeat>& in = *ways_[way].in;
  if (!in.can_pop()) return !in.empty();
  sim::StreamOut<PixelBeat>& out = *ways_[way].out;
  if (!out.can_push()) violation("a beat was refused");
  out.push(in.pop());
  ++beats_;
  return true;
}

}  // namespace fansim::vision
