// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/write_stream.h"

#include "accelerators/tiled/config/packing.h"

namespace fansim::tiled {

using What = PathStep::What;

void WriteStream::push(const Run& run, timing::Edge pushed) {
  ++runs_;
  beats_ += run.beats;
  bytes_ += strobed_bytes(encoding_, run);
  script_.push(run.address, run.beats, run.last);
  told_.push({What::push, 0, pushed});
}

bool WriteStream::follow_all() {
  while (!told_.empty()) path_.follow(told_.pop(), script_, [this](const PathStep& step) { hear(step); });
  return true;
}

// The memory may take a burst and respond at once.
inline void WriteStream::hear(const PathStep& step) {
  if (step.what == What::asked)
    memory_.write(kPort, *this, step.edge, script_.part(step.beats), step.beats);
  else if (step.what == What::popped)
    memory_.written(kPort, step.beats, step.edge);
  else if (step.what == What::manager_popped)
    writer_popped_.add(step.edge);
  else if (step.what == What::coder_popped)
    encoder_popped_.add(step.edge);
  else if (step.what == What::freed)
    freed_.push(step.edge);
  else if (step.what == What::ended)
    ends_.push(step.edge);
}

}  // namespace fansim::tiled
