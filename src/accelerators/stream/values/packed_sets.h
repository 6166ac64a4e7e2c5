// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "contract/kept_values.h"

namespace fansim::stream {

// A job's weight sets as the kernels want them, [block][x_block][parallel row][group][slice].
struct PackedSets {
  std::vector<std::int8_t> weights;
  std::vector<std::int32_t> sums;  // of each channel's weights
};

// The sets that come again, of one run or of several of the same program. Of one run many come once, so none is kept
// before it has come a second time.
class KnownSets : public contract::KeptValues {
 public:
  using Key = std::array<std::int64_t, 7>;  // where they lie, and how the job takes them

  explicit KnownSets(bool several_runs = false) : several_runs_(several_runs) {}

  struct Found {
    const PackedSets* sets;  // stay where they are; null: to be packed
    bool again;              // and worth keeping
  };
  Found find(const Key& key);
  const PackedSets& keep(const Key& key, PackedSets sets);

 private:
  const bool several_runs_;
  std::mutex mutex_;
  std::map<Key, PackedSets> sets_;  // empty: they have come once
};

}  // namespace fansim::stream
