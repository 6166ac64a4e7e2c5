// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/packed_sets.h"

namespace fansim::stream {

KnownSets::Found KnownSets::find(const Key& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [known, fresh] = sets_.try_emplace(key);
  return {known->second.weights.empty() ? nullptr : &known->second, !fresh};
}

// Others may have kept the same meanwhile, and be reading it.
const PackedSets& KnownSets::keep(const Key& key, const PackedSets& sets) {
  const std::lock_guard<std::mutex> lock(mutex_);
  PackedSets& kept = sets_[key];
  if (kept.weights.empty()) kept = sets;
  return kept;
}

}  // namespace fansim::stream
