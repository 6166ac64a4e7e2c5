// SPDX-License-Identifier: Apache-2.0
#include "sim/pipeline.h"

#include <catch2/catch.hpp>
#include <deque>

#include "base/random.h"

namespace fansim::pipeline_test {

TEST_CASE("what enters a pipeline leaves after exactly its latency in advances whatever the gaps") {
  const std::uint64_t seed = 1;
  INFO("seed " << seed);
  for (int latency = 1; latency <= 12; ++latency) {
    base::Random random(seed);
    sim::Pipeline<int> pipeline(latency);
    std::deque<int> stages(static_cast<std::size_t>(latency), 0);  // 0: a bubble; the front leaves next
    int next = 1;
    for (int edge = 0; edge < 500; ++edge) {
      REQUIRE(pipeline.out_valid() == (stages.front() != 0));
      if (pipeline.out_valid()) REQUIRE(pipeline.out() == stages.front());
      bool empty = true;
      for (int stage : stages) empty &= stage == 0;
      REQUIRE(pipeline.empty() == empty);
      if (random.chance(30)) continue;  // a stall: nothing moves
      pipeline.advance();
      stages.pop_front();
      const int item = random.chance(60) ? next++ : 0;
      stages.push_back(item);
      if (item) pipeline.enter() = item;
    }
  }
}

}  // namespace fansim::pipeline_test
