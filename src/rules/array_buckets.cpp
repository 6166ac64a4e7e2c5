// SPDX-License-Identifier: Apache-2.0
#include "rules/array_buckets.h"

namespace fansim::rules {

ArrayBucket bucket(const CycleSigns& s) {
  if (s.compute) return ArrayBucket::compute;
  if (s.drain) return ArrayBucket::drain;
  if (s.fill) return ArrayBucket::fill;
  if (s.wait_output) return ArrayBucket::wait_output;
  if (s.wait_weights || s.wait_input) {
    return data_wait(s.read_wait, s.wait_weights ? ArrayBucket::wait_weights : ArrayBucket::wait_input);
  }
  if (s.dma_setup) return ArrayBucket::dma_setup;
  if (s.host) return ArrayBucket::host;
  return ArrayBucket::idle;
}

ArrayBucket data_wait(ReadWait why, ArrayBucket wait) {
  switch (why) {
    case ReadWait::refresh:
      return ArrayBucket::ddr_refresh;
    case ReadWait::row_miss:
      return ArrayBucket::ddr_row_miss;
    case ReadWait::turnaround:
      return ArrayBucket::ddr_turnaround;
    case ReadWait::arbitration:
      return ArrayBucket::ddr_arbitration;
    default:
      return wait;
  }
}

}  // namespace fansim::rules
