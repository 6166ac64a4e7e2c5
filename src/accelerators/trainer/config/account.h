// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::trainer {

// Names the account's buckets in their order; they are the machine's own phases.
enum BucketIndex : std::size_t {
  kLoad,
  kConvolution,
  kPooling,
  kFullyConnected,
  kSoftmax,
  kFullyConnectedBack,
  kPoolingBack,
  kConvolutionBack,
  kUpdate,
  kStore,
  kHost,
  kBuckets
};

inline const contract::Counted kImages{
    "images", "images", "images that were classified or trained", "images", contract::Aggregation::sum, {"images"}};
inline const contract::Counted kSaturations{"saturations",
                                            "results",
                                            "results of operations that became the largest magnitude",
                                            "results saturated",
                                            contract::Aggregation::sum,
                                            {"results"}};
inline const contract::Counted kUnderflows{"underflows",
                                           "results",
                                           "results of operations that became zero and were none",
                                           "results underflowed",
                                           contract::Aggregation::sum,
                                           {"results"}};

const contract::Account& account();

}  // namespace fansim::trainer
