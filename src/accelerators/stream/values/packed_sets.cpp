// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/packed_sets.h"

namespace fansim::stream {

const PackedSets& PackedSetCache::sets(const Key& key, const std::function<void(PackedSets&)>& pack, PackedSets& once) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto [at, fresh] = sets_.try_emplace(key);
  Entry& entry = at->second;
  packed_more_.wait(lock, [&entry = entry] { return !entry.being_packed; });
  if (entry.packed) return entry.sets;
  const bool kept = several_runs_ || !fresh;
  entry.being_packed = kept;
  lock.unlock();
  if (!kept) {
    pack(once);
    return once;
  }
  const auto packed = [&](bool done) {
    lock.lock();
    entry.being_packed = false;
    entry.packed = done;
    packed_more_.notify_all();
  };
  try {
    pack(entry.sets);
  } catch (...) {
    packed(false);
    throw;
  }
  packed(true);
  return entry.sets;
}

}  // namespace fansim::stream
