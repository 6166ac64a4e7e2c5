// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::decoupled {

// Names the buckets of the compute unit's cycles in their order. An edge belongs to the first bucket whose condition
// holds.
enum BucketIndex : std::size_t {
  kMultiply,
  kPool,
  kPost,
  kOverhead,
  kWaitLoad,
  kWaitWeights,
  kWaitStore,
  kLoad,
  kStore,
  kHost,
  kBuckets
};

const contract::Account& account();

}  // namespace fansim::decoupled
