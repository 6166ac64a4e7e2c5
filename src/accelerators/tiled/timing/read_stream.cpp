// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/read_stream.h"

namespace fansim::tiled {

using What = PathEvent::What;

void ReadStream::push(const ReadExtent& run) {
  beats_ += run.beats;
  runs_.push(run.address, run.beats, run.last, run.decoding);
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

// Every beat comes behind edge 0.
void ReadStream::wait_gap(timing::Edge until) {
  if (until <= 0) return;
  path_.path().wait_gap(until);
  path_.changed();
}

}  // namespace fansim::tiled
