// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/write_stream.h"

#include "accelerators/tiled/config/packing.h"

namespace fansim::tiled {

using What = PathStep::What;

void WriteStream::announce(const Run& run) {
  ++announced_;
  beats_ += run.beats;
  bytes_ += strobed_bytes(encoding_, run);
  script_.push(run.address, run.beats, run.last);
}

void WriteStream::push(timing::Edge pushed) {
  --announced_, ++runs_;
  told_.push({What::push, 0, pushed});
}

bool WriteStream::follow_all() {
  while (!told_.empty()) path_.follow(told_.pop(), script_, [this](const PathStep& step) { hear(step); });
  return true;
}

void WriteStream::ask(const PathStep& burst) {
  asked_ += burst.beats;
  memory_.write(kPort, *this, burst.edge, script_.part(burst.beats), burst.beats);
}

// The memory may take a burst and respond at once.
inline void WriteStream::hear(const PathStep& step) {
  if (step.what == What::asked)
    ask(step);
  else if (step.what == What::popped)
    memory_.written(kPort, step.beats, step.edge);
  else if (step.what == What::manager_popped)
    writer_popped_.add(step.edge);
  else if (step.what == What::coder_popped)
    encoder_popped_.add(step.edge);
  else if (step.what == What::freed)
    ++tokens_, freed_.push(step.edge);
  else if (step.what == What::ended)
    ++tokens_, ends_.push(step.edge);
}

void WriteStream::show(Picture& picture, timing::Edge meeting, timing::Edge issued) {
  path_.show(picture, meeting);
  for (History* popped : {&writer_popped_, &encoder_popped_}) {
    std::int64_t waiting = runs_ - popped->count();
    picture.number(waiting);
    picture.fabric(*popped, std::min(runs_ - 2, runs_ - waiting), runs_ - waiting, issued);
  }
}

}  // namespace fansim::tiled
