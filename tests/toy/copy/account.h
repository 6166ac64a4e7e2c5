// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/statistics.h"

namespace fansim::copy {

// Where the cycles go, in the order of the account's buckets.
enum BucketIndex : std::size_t { kRead, kWrite, kHost, kBuckets };

// A statistic of its own: one row, and both engines count it.
inline const contract::Counted kBursts{"bursts",
                                       "bursts",
                                       "bursts copied, each read whole before it is written",
                                       "bursts copied",
                                       contract::Aggregation::sum,
                                       {"bursts"}};

inline const contract::Account& account() {
  static const contract::Account kAccount{{{"read", "cycles in which a burst was asked for and received"},
                                           {"write", "cycles in which a burst was sent and answered"},
                                           {"host", "cycles in which the engine had nothing to do"}},
                                          {kBursts}};
  return kAccount;
}

}  // namespace fansim::copy
