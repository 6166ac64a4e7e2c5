// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/write_stream.h"

#include <utility>

#include "accelerators/tiled/config/packing.h"

namespace fansim::tiled {

using What = PathStep::What;

void WriteStream::push(const Run& run) {
  beats_ += run.beats;
  bytes_ += value_bytes_ > 0 ? std::int64_t{run.values} * value_bytes_ : strobed_bytes(encoding_, run);
  script_.push(run.address, run.beats, run.last);
}

bool WriteStream::advance() {
  while (!told_.empty()) follow(told_.pop());
  while (tiles_.can_begin()) {
    news_ = true;
    follow({What::begin, 0, tiles_.begin()});
  }
  return std::exchange(news_, false);
}

void WriteStream::follow(const PathStep& told) {
  path_.follow(told, script_, [this](const PathStep& step) { hear(step); });
}

// The memory may take a burst and respond at once.
inline void WriteStream::hear(const PathStep& step) {
  if (step.what == What::asked) return memory_.write(kPort, *this, step.edge, script_.part(step.beats), step.beats);
  if (step.what == What::popped) return memory_.written(kPort, step.beats, step.edge);
  stirred_ = news_ = true;
  if (step.what == What::issued)
    tiles_.issued(step.edge);
  else if (step.what == What::freed)
    freed_.push(step.edge);
  else if (step.what == What::ended)
    ends_.push(step.edge);
}

}  // namespace fansim::tiled
