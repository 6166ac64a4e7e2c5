// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/packed_sets.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

namespace fansim::packed_sets_test {

using stream::PackedSetCache;
using stream::PackedSets;

namespace {

const PackedSetCache::Key kKey{4096, 1, 1, 2, 3, 1, 0}, kOther{4096, 1, 1, 2, 3, 1, 1};

struct Asker {
  PackedSetCache& known;
  int packed = 0;
  PackedSets once{};

  const PackedSets& ask(const PackedSetCache::Key& key) {
    return known.sets(
        key,
        [&](PackedSets& sets) {
          sets = {{1, 2}, {++packed}};
        },
        once);
  }
};

}  // namespace

TEST_CASE("weight sets are kept once they come a second time") {
  PackedSetCache known;
  Asker asker{known};
  CHECK(&asker.ask(kKey) == &asker.once);
  const PackedSets& kept = asker.ask(kKey);
  CHECK(&kept != &asker.once);
  CHECK(asker.packed == 2);
  CHECK(&asker.ask(kOther) == &asker.once);
  CHECK(&asker.ask(kKey) == &kept);
  CHECK(asker.packed == 3);
  CHECK(kept.weights == std::vector<std::int8_t>{1, 2});
  CHECK(kept.sums == std::vector<std::int32_t>{2});
}

TEST_CASE("of several runs weight sets are kept when they first come") {
  PackedSetCache known(true);
  Asker asker{known};
  const PackedSets& kept = asker.ask(kKey);
  CHECK(&kept != &asker.once);
  CHECK(&asker.ask(kKey) == &kept);
  CHECK(asker.packed == 1);
}

TEST_CASE("threads of several runs pack every weight set once") {
  PackedSetCache known(true);
  constexpr int kThreads = 4, kSets = 50;
  std::atomic<int> packed{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < kSets; ++i) {
        const auto pack = [&](PackedSets& sets) {
          ++packed;
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          sets = {std::vector<std::int8_t>(100, static_cast<std::int8_t>(i)), {i}};
        };
        PackedSets once;
        const PackedSets& sets = known.sets({i}, pack, once);
        wrong += &sets == &once || sets.weights.size() != 100 || sets.weights.back() != i || sets.sums.back() != i;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(packed == kSets);
  CHECK(wrong == 0);
}

TEST_CASE("what keeps one from packing a weight set leaves it to the next") {
  PackedSetCache known(true);
  PackedSets once;
  CHECK_THROWS_AS(known.sets(
                      kKey, [](PackedSets&) { throw std::runtime_error("stopped"); }, once),
                  std::runtime_error);
  Asker asker{known};
  CHECK(asker.ask(kKey).sums == std::vector<std::int32_t>{1});
}

}  // namespace fansim::packed_sets_test
