// SPDX-License-Identifier: Apache-2.0
#include "contract/statistics.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "accelerators/stream/config/account.h"
#include "accelerators/tiled/config/account.h"
#include "rules/array_buckets.h"

namespace fansim::statistics_test {

namespace {

contract::LayerResult layer(base::Cycles cycles, std::int64_t own) {
  contract::LayerResult result;
  result.cycles = cycles;
  result.buckets = {cycles - 1, 1};
  result.own["peak"] = own;
  return result;
}

}  // namespace

TEST_CASE("every machine names each bucket of its array once and in order and says what it means") {
  for (const contract::Account& account : {stream::account(), tiled::account()}) {
    std::set<std::string> names;
    for (const contract::Bucket& bucket : account.buckets) {
      names.insert(bucket.name);
      CHECK(std::string(bucket.meaning).size() > 10);
    }
    CHECK(names.size() == rules::kArrayBuckets);
    REQUIRE(account.buckets.size() == rules::kArrayBuckets);
    using rules::ArrayBucket;
    const auto name = [&account](ArrayBucket b) {
      return std::string(account.buckets[static_cast<std::size_t>(b)].name);
    };
    CHECK(name(ArrayBucket::compute) == "compute");
    CHECK(name(ArrayBucket::wait_input) == "wait_input");
    CHECK(name(ArrayBucket::ddr_arbitration) == "ddr_arbitration");
    CHECK(name(ArrayBucket::idle) == "idle");
  }
}

TEST_CASE("a machine's own statistic is summed or its largest taken as its row says") {
  for (const auto& [aggregation, expected] :
       {std::pair{contract::Aggregation::sum, 12}, std::pair{contract::Aggregation::largest, 9}}) {
    const contract::Account account{{{"busy", "it was"}, {"done", "it was not"}},
                                    {{"peak", "beats", "most at once", "peaks", aggregation}}};
    const contract::LayerResult all = contract::total({layer(10, 3), layer(20, 9)}, account);
    CHECK(all.cycles == 30);
    CHECK(all.own.at("peak") == expected);
    CHECK(account.cycles_of(all, "busy") == 28);
    CHECK(account.statistics().back().key() == std::string("peak"));
    CHECK_THROWS_AS(account.cycles_of(all, "bsuy"), std::out_of_range);
  }
}

TEST_CASE("keys are unique and every row says its unit and meaning") {
  std::set<std::string> keys;
  for (const contract::Statistic& statistic : stream::account().statistics()) {
    CHECK(keys.insert(statistic.key()).second);
    CHECK(!std::string(statistic.unit()).empty());
    CHECK(std::string(statistic.meaning()).size() > 5);
    CHECK(contract::statistic(statistic.key()).meaning() == std::string(statistic.meaning()));
  }
}

TEST_CASE("a layer that did not run is no cycle of any bucket in the total") {
  const contract::LayerResult all = contract::total({contract::LayerResult{}}, stream::account());
  CHECK(all.buckets == std::vector<base::Cycles>(rules::kArrayBuckets, 0));
}

}  // namespace fansim::statistics_test
