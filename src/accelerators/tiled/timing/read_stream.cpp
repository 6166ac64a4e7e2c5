// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/read_stream.h"

namespace fansim::tiled {

using What = PathStep::What;

void ReadStream::announce(const ReadRun& run) {
  ++announced_;
  beats_ += run.beats;
  script_.push(run.address, run.beats, run.last, run.decoding);
}

void ReadStream::push(timing::Edge pushed) {
  --announced_, ++runs_;
  follow({What::push, 0, pushed});
}

timing::Edge ReadStream::data(int beats, timing::Edge from) {
  ++served_;
  follow({What::data, beats, from});
  return sent_;
}

void ReadStream::follow(const PathStep& told) {
  changed_ = true;
  path_.follow(told, script_, [this](const PathStep& step) { hear(step); });
}

inline void ReadStream::hear(const PathStep& step) {
  if (step.what == What::sent)
    sent_ = step.edge;
  else if (step.what == What::asked)
    to_ask_.push(step);
  else if (step.what == What::manager_popped)
    reader_popped_.add(step.edge);
  else if (step.what == What::coder_popped)
    decoder_popped_.add(step.edge);
  else if (step.what == What::ended)
    ++tokens_, ends_.push(step.edge);
}

void ReadStream::show(Picture& picture, timing::Edge meeting, timing::Edge issued) {
  path_.show(picture, meeting);
  for (History* popped : {&reader_popped_, &decoder_popped_}) {
    std::int64_t waiting = runs_ - popped->count();
    picture.number(waiting);
    picture.fabric(*popped, std::min(runs_ - 2, runs_ - waiting), runs_ - waiting, issued);
  }
}

bool ReadStream::ask_all() {
  changed_ = false;
  while (!to_ask_.empty()) {
    const PathStep burst = to_ask_.pop();
    asked_ += burst.beats;
    memory_.read(port_, *this, burst.edge, script_.part(burst.beats), burst.beats);
  }
  return true;
}

void ReadStream::wait_gap(timing::Edge until) {
  path_.now().wait_gap(until);
  path_.forget();
}

}  // namespace fansim::tiled
