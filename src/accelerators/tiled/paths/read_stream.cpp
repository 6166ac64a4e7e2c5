// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/read_stream.h"

namespace fansim::tiled {

using What = PathStep::What;

void ReadStream::push(const ReadRun& run) {
  beats_ += run.beats;
  script_.push(run.address, run.beats, run.last, run.decoding);
}

void ReadStream::begin(timing::Edge from) {
  tiles_.add(from);
  begin_next();
}

timing::Edge ReadStream::data(int beats, timing::Edge from) {
  follow({What::data, beats, from});
  begin_next();
  return sent_;
}

void ReadStream::begin_next() {
  while (tiles_.can_begin()) follow({What::begin, 0, tiles_.begin()});
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
    if (direct_) return ask(step);
    stirred_ = true;
    return to_ask_.push(step);
  }
  if (step.what == What::issued) return tiles_.issued(step.edge);
  stirred_ = news_ = true;
  ends_.push(step.edge);
}

void ReadStream::wait_gap(timing::Edge until) {
  path_.now().wait_gap(until);
  path_.forget();
}

}  // namespace fansim::tiled
