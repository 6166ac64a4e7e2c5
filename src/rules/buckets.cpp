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
    if (s.ddr_refresh) return Bucket::ddr_refresh;
    if (s.ddr_row_miss) return Bucket::ddr_row_miss;
    if (s.ddr_turnaround) return Bucket::ddr_turnaround;
    if (s.ddr_arbitration) return Bucket::ddr_arbitration;
    return s.wait_weights ? Bucket::wait_weights : Bucket::wait_input;
  }
  if (s.dma_setup) return Bucket::dma_setup;
  if (s.host) return Bucket::host;
  return Bucket::idle;
}

}  // namespace fansim::rules
