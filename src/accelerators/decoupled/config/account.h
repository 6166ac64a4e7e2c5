// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::decoupled {

// Where the compute unit's cycles go, in the order of the account's buckets: an edge belongs to the first that holds.
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
