// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/packed_sets.h"

namespace fansim::stream {

const PackedSets& KnownSets::sets(const Key& key, const std::function<void(PackedSets&)>& pack, PackedSets& once) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto [at, fresh] = sets_.try_emplace(key);
  Known& known = at->second;
  packed_more_.wait(lock, [&known = known] { return !known.being_packed; });
  if (known.packed) return known.sets;
  const bool kept = several_runs_ || !fresh;
  known.being_packed = kept;
  lock.unlock();
  if (!kept) {
    pack(once);
    return once;
  }
  const auto packed = [&](bool done) {
    lock.lock();
    known.being_packed = false;
    known.packed = done;
    packed_more_.notify_all();
  };
  try {
    pack(known.sets);
  } catch (...) {
    packed(false);
    throw;
  }
  packed(true);
  return known.sets;
}

}  // namespace fansim::stream
