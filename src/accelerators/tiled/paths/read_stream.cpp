// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/read_stream.h"

namespace fansim::tiled {

using What = PathStep::What;

void ReadStream::push(const ReadRun& run, timing::Edge pushed) {
  ++runs_;
  beats_ += run.beats;
  script_.push(run.address, run.beats, run.last, run.decoding);
  follow({What::push, 0, pushed});
}

timing::Edge ReadStream::data(int beats, timing::Edge from) {
  follow({What::data, beats, from});
  return sent_;
}

void ReadStream::follow(const PathStep& told) {
  path_.follow(told, script_, [this](const PathStep& step) { hear(step); });
}

inline void ReadStream::hear(const PathStep& step) {
  if (step.what == What::sent) {
    sent_ = step.edge;
    return;
  }
  if (step.what == What::asked) {
    to_ask_.push(step);
    return;
  }
  changed_ = true;
  if (step.what == What::manager_popped)
    reader_popped_.add(step.edge);
  else if (step.what == What::coder_popped)
    decoder_popped_.add(step.edge);
  else if (step.what == What::ended)
    ends_.push(step.edge);
}

void ReadStream::ask_all() {
  while (!to_ask_.empty()) {
    const PathStep burst = to_ask_.pop();
    memory_.read(port_, *this, burst.edge, script_.part(burst.beats), burst.beats);
  }
}

void ReadStream::wait_gap(timing::Edge until) {
  path_.now().wait_gap(until);
  path_.forget();
}

}  // namespace fansim::tiled
