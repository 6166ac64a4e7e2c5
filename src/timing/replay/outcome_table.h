// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fansim::timing {

// Holds the outcomes of jobs of a machine in which nothing else is under way. The key of a job is all that decides its
// outcome.
template <class Key, class Outcome>
class OutcomeTable {
 public:
  std::size_t size() const { return outcomes_.size(); }
  // Returns null if no such job was seen.
  Outcome* find(const Key& key) {
    const auto found = outcomes_.find(key);
    return found == outcomes_.end() ? nullptr : &found->second;
  }
  // Outcomes stay where they are. If two have the same key, the first stays.
  Outcome* add(Key key, Outcome outcome) {
    return &outcomes_.try_emplace(std::move(key), std::move(outcome)).first->second;
  }

 private:
  struct Hash {
    std::size_t operator()(std::int64_t key) const { return std::hash<std::int64_t>()(key); }
    std::size_t operator()(const std::vector<int>& key) const {
      constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
      std::uint64_t hash = key.size();
      for (const int number : key) hash = ((hash << 5 | hash >> 59) ^ static_cast<std::uint32_t>(number)) * kFactor;
      return static_cast<std::size_t>(hash ^ hash >> 32);
    }
  };

  std::unordered_map<Key, Outcome, Hash> outcomes_;
};

}  // namespace fansim::timing
