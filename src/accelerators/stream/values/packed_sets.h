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

  // The sets of this key, which `pack` makes unless they are there; of those that are not worth keeping, `once`. They
  // stay where they are, or `once` is. Whom another thread packs them for waits for it.
  const PackedSets& sets(const Key& key, const std::function<void(PackedSets&)>& pack, PackedSets& once);

 private:
  const bool several_runs_;
  struct Known {
    PackedSets sets;
    bool packed = false, being_packed = false;  // neither: they have come once
  };
  std::mutex mutex_;
  std::condition_variable packed_more_;
  std::map<Key, Known> sets_;
};

}  // namespace fansim::stream
