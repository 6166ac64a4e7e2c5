// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/packed_sets.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <thread>
#include <vector>

using fansim::stream::KnownSets;
using fansim::stream::PackedSets;

TEST_CASE("weight sets are kept once they come a second time") {
  KnownSets known;
  const KnownSets::Key key{4096, 1, 1, 2, 3, 1, 0}, other{4096, 1, 1, 2, 3, 1, 1};
  CHECK(known.find(key).sets == nullptr);
  const KnownSets::Found again = known.find(key);
  CHECK(again.again);
  CHECK(again.sets == nullptr);
  CHECK_FALSE(known.find(other).again);
  const PackedSets& kept = known.keep(key, {{1, 2}, {3}});
  CHECK(known.find(key).sets == &kept);
  CHECK(kept.weights == std::vector<std::int8_t>{1, 2});
  CHECK(known.find(other).sets == nullptr);
}

TEST_CASE("of several runs weight sets are kept when they first come") {
  KnownSets known(true);
  const KnownSets::Key key{4096, 1, 1, 2, 3, 1, 0};
  CHECK(known.find(key).again);
  const PackedSets& kept = known.keep(key, {{1}, {2}});
  CHECK(known.find(key).sets == &kept);
}

TEST_CASE("threads that pack the same weight sets read what the first one kept") {
  KnownSets known;
  constexpr int kThreads = 4, kSets = 50, kRounds = 20;
  std::vector<std::vector<const PackedSets*>> seen(kThreads, std::vector<const PackedSets*>(kSets));
  std::vector<std::thread> threads;
  std::vector<int> wrong(kThreads);
  for (std::size_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round < kRounds; ++round)
        for (int i = 0; i < kSets; ++i) {
          const KnownSets::Found found = known.find({i});
          if (!found.sets && !found.again) continue;
          const PackedSets& sets =
              found.sets ? *found.sets
                         : known.keep({i}, {std::vector<std::int8_t>(100, static_cast<std::int8_t>(i)), {i}});
          const PackedSets*& before = seen[thread][static_cast<std::size_t>(i)];
          wrong[thread] += (before && before != &sets) || sets.weights.back() != i || sets.sums.back() != i;
          before = &sets;
        }
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    CHECK(wrong[thread] == 0);
    CHECK(seen[thread] == seen[0]);
  }
}
