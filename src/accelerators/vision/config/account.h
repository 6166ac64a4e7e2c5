// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::vision {

// Names the account's buckets in their order. An edge belongs to the first bucket whose condition holds.
enum BucketIndex : std::size_t { kStream, kFlush, kWaitOutput, kWaitInput, kDrain, kHost, kBuckets };

// Counts the samples of the layer's output that were written.
inline const contract::Counted kPixels{
    "pixels", "samples", "samples of the result", "samples of the result", contract::Aggregation::sum, {"samples"}};
inline const contract::Counted kUnits{"units",
                                      "units",
                                      "units that the image passed one behind the other, without memory in between",
                                      "units passed",
                                      contract::Aggregation::largest,
                                      {"units"}};

const contract::Account& account();

}  // namespace fansim::vision
