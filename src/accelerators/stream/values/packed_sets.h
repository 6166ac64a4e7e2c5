// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "contract/kept_values.h"

namespace fansim::stream {

// Holds a job's weight sets in the order that the kernels need, [block][x_block][parallel row][group][slice].
struct PackedSets {
  std::vector<std::int8_t> weights;
  std::vector<std::int32_t> sums;  // sum of each channel's weights
};

// Caches weight sets that are used again, in one run or in several runs of the same program. Many sets of a single run
// are used only once, so a set is kept only when it is needed a second time.
class PackedSetCache : public contract::KeptValues {
 public:
  using Key = std::array<std::int64_t, 7>;  // where they lie, and how the job uses them

  explicit PackedSetCache(bool several_runs = false) : several_runs_(several_runs) {}

  // Returns the sets of this key; `pack` makes them if they are not there. Sets that are not worth keeping go to
  // `once`. The result stays valid as long as this object or `once`. A thread waits for sets that another thread is
  // packing.
  const PackedSets& sets(const Key& key, const std::function<void(PackedSets&)>& pack, PackedSets& once);

 private:
  const bool several_runs_;
  struct Entry {
    PackedSets sets;
    bool packed = false, being_packed = false;  // both false: they have been used once
  };
  std::mutex mutex_;
  std::condition_variable packed_more_;
  std::map<Key, Entry> sets_;
};

}  // namespace fansim::stream
