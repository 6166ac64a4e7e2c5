// SPDX-License-Identifier: Apache-2.0
#include "rules/buckets.h"

namespace fansim::rules {

arch::Bucket bucket(const CycleSigns& s) {
  using arch::Bucket;
  if (s.compute) return Bucket::compute;
  if (s.drain) return Bucket::drain;
  if (s.fill) return Bucket::fill;
  if (s.wait_output) return Bucket::wait_output;
  if (s.wait_weights || s.wait_input) {
    return data_wait(s.read_wait, s.wait_weights ? Bucket::wait_weights : Bucket::wait_input);
  }
  if (s.dma_setup) return Bucket::dma_setup;
  if (s.host) return Bucket::host;
  return Bucket::idle;
}

arch::Bucket data_wait(ReadWait why, arch::Bucket wait) {
  switch (why) {
    case ReadWait::refresh:
      return arch::Bucket::ddr_refresh;
    case ReadWait::row_miss:
      return arch::Bucket::ddr_row_miss;
    case ReadWait::turnaround:
      return arch::Bucket::ddr_turnaround;
    case ReadWait::arbitration:
      return arch::Bucket::ddr_arbitration;
    default:
      return wait;
  }
}

}  // namespace fansim::rules
