// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/write_stream.h"

#include <utility>

namespace fansim::tiled {

void WriteStream::push(const Extent& run) {
  beats_ += run.beats;
  bytes_ += value_bytes_ > 0 ? std::int64_t{run.values} * value_bytes_ : strobed_bytes(encoding_, run);
  runs_.push(run.address, run.beats, run.last);
}

bool WriteStream::advance() {
  while (!told_.empty()) follow(told_.pop());
  while (tiles_.can_begin()) {
    news_ = true;
    follow({PathEvent::What::begin, 0, tiles_.begin()});
  }
  return std::exchange(news_, false);
}

}  // namespace fansim::tiled
