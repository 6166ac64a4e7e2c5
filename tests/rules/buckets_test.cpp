// SPDX-License-Identifier: Apache-2.0
#include "rules/array_buckets.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

namespace fansim::buckets_test {

using Bucket = rules::ArrayBucket;

namespace {

using rules::ReadWait;

constexpr bool rules::CycleSigns::*kSigns[] = {&rules::CycleSigns::compute,      &rules::CycleSigns::drain,
                                               &rules::CycleSigns::fill,         &rules::CycleSigns::wait_output,
                                               &rules::CycleSigns::wait_weights, &rules::CycleSigns::wait_input,
                                               &rules::CycleSigns::dma_setup,    &rules::CycleSigns::host};
constexpr ReadWait kWaits[] = {ReadWait::none,     ReadWait::busy_same,  ReadWait::refresh,
                               ReadWait::row_miss, ReadWait::turnaround, ReadWait::arbitration};

// Follows the order of the design document: the first bucket that holds; the ddr causes come before the wait that they
// refine.
Bucket reference(const rules::CycleSigns& s) {
  const bool waits = s.wait_weights || s.wait_input;
  const std::pair<bool, Bucket> order[] = {{s.compute, Bucket::compute},
                                           {s.drain, Bucket::drain},
                                           {s.fill, Bucket::fill},
                                           {s.wait_output, Bucket::wait_output},
                                           {waits && s.read_wait == ReadWait::refresh, Bucket::ddr_refresh},
                                           {waits && s.read_wait == ReadWait::row_miss, Bucket::ddr_row_miss},
                                           {waits && s.read_wait == ReadWait::turnaround, Bucket::ddr_turnaround},
                                           {waits && s.read_wait == ReadWait::arbitration, Bucket::ddr_arbitration},
                                           {s.wait_weights, Bucket::wait_weights},
                                           {s.wait_input, Bucket::wait_input},
                                           {s.dma_setup, Bucket::dma_setup},
                                           {s.host, Bucket::host}};
  for (const auto& [holds, bucket] : order)
    if (holds) return bucket;
  return Bucket::idle;
}

}  // namespace

TEST_CASE("every combination of signs falls into the first bucket that holds") {
  std::set<Bucket> seen;
  for (int mask = 0; mask < 1 << 8; ++mask) {
    rules::CycleSigns signs;
    for (int i = 0; i < 8; ++i) signs.*kSigns[i] = mask >> i & 1;
    for (const ReadWait wait : kWaits) {
      signs.read_wait = wait;
      REQUIRE(rules::bucket(signs) == reference(signs));
      seen.insert(rules::bucket(signs));
    }
  }
  CHECK(seen.size() == rules::kArrayBuckets);
}

TEST_CASE("a DDR cause without a wait for data is no bucket of its own") {
  rules::CycleSigns signs;
  signs.read_wait = ReadWait::refresh;
  CHECK(rules::bucket(signs) == Bucket::idle);
  signs.host = true;
  CHECK(rules::bucket(signs) == Bucket::host);
  signs.wait_input = true;
  CHECK(rules::bucket(signs) == Bucket::ddr_refresh);
}

TEST_CASE("an account of spans has what one of every edge has whenever it is asked") {
  const std::vector<Bucket> edges{Bucket::idle,    Bucket::fill,    Bucket::fill, Bucket::compute,
                                  Bucket::compute, Bucket::compute, Bucket::fill, Bucket::drain};
  constexpr std::int64_t kFirst = 100;
  rules::BucketSpans spans;
  rules::ArrayBuckets one_by_one;
  for (int layer = 0; layer < 2; ++layer) {
    spans.begin(kFirst);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const std::int64_t edge = kFirst + static_cast<std::int64_t>(i);
      REQUIRE(spans.before(edge) == one_by_one);
      // If all three are alike, the last is given again, which changes nothing.
      if (i == 0 || edges[i] != edges[i - 1] || i == 5) {
        spans.enter(edges[i], edge);
        REQUIRE(spans.counted() == one_by_one);
      }
      ++one_by_one.of(edges[i]);
      REQUIRE(spans.before(edge + 1) == one_by_one);
    }
    spans.enter(Bucket::idle, kFirst + static_cast<std::int64_t>(edges.size()));
    REQUIRE(spans.counted() == one_by_one);
  }
}

}  // namespace fansim::buckets_test
