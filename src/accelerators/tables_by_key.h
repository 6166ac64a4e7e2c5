// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fansim::accelerators {

// Caches intermediate results of a search by a key of everything that they depend on, for several threads. A thread
// takes the results of a key, so that it alone has them, and gives them back with what it has added. A Table without
// any results has size 0.
template <class Table>
class TablesByKey {
 public:
  // Keeps at most this much in total, and empties itself when it gets full.
  explicit TablesByKey(std::size_t most) : most_(most) {}

  // Returns an empty Table if the key is unknown, or if others have taken all its results.
  Table take(const std::string& key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Table>& kept = kept_[key];
    if (kept.empty()) return Table();
    Table table = std::move(kept.back());
    kept.pop_back();
    size_ -= table.size();
    return table;
  }

  void give(const std::string& key, Table table) {
    const std::size_t size = table.size();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (size_ + size > most_) {
      kept_.clear();
      size_ = 0;
    }
    if (size > most_) return;
    size_ += size;
    kept_[key].push_back(std::move(table));
  }

  // Returns the size of everything that is not taken.
  std::size_t size() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return size_;
  }

 private:
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::vector<Table>> kept_;
  std::size_t size_ = 0;
};

}  // namespace fansim::accelerators
