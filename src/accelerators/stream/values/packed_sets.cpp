// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/packed_sets.h"

#include <utility>

namespace fansim::stream {

KnownSets::Found KnownSets::find(const Key& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [known, fresh] = sets_.try_emplace(key);
  return {known->second.weights.empty() ? nullptr : &known->second, several_runs_ || !fresh};
}

// Others may have kept the same meanwhile, and be reading it.
const PackedSets& KnownSets::keep(const Key& key, PackedSets sets) {
  const std::lock_guard<std::mutex> lock(mutex_);
  PackedSets& kept = sets_[key];
  if (kept.weights.empty()) kept = std::move(sets);
  return kept;
}

}  // namespace fansim::stream
