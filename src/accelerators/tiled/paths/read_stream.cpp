// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/read_stream.h"

#include <algorithm>

namespace fansim::tiled {

using What = PathStep::What;

void ReadStream::push(const ReadRun& run) {
  beats_ += run.beats;
  script_.push(run.address, run.beats, run.last, run.decoding);
}

void ReadStream::begin(timing::Edge from) {
  to_begin_.push(from);
  begin_next();
}

timing::Edge ReadStream::data(int beats, timing::Edge from) {
  follow({What::data, beats, from});
  begin_next();
  return sent_;
}

void ReadStream::begin_next() {
  while (!issuing_ && !to_begin_.empty()) {
    const timing::Edge from = std::max(to_begin_.pop(), issued_ + 1);
    begun_.push(from);
    issuing_ = true;
    follow({What::begin, 0, from});
  }
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
    return to_ask_.push(step);
  }
  if (step.what == What::issued) {
    issuing_ = false;
    issued_ = step.edge;
    return;
  }
  news_ = true;
  ends_.push(step.edge);
}

void ReadStream::wait_gap(timing::Edge until) {
  path_.now().wait_gap(until);
  path_.forget();
}

}  // namespace fansim::tiled
