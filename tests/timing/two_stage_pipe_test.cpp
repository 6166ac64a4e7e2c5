// SPDX-License-Identifier: Apache-2.0
#include "timing/two_stage_pipe.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"
#include "sim/pipeline.h"

namespace fansim::two_stage_pipe_test {

using timing::Edge;

namespace {

// The edges at which `items`, each there from its edge on, enter and leave a pipeline before a stream whose reader
// takes them at `popped`, edge by edge.
struct Passage {
  std::vector<Edge> entered, left;
};
Passage step_by_step(const std::vector<Edge>& items, const std::vector<Edge>& popped) {
  Passage passage;
  sim::Pipeline<int> pipeline(2);
  for (Edge now = 1; passage.left.size() < items.size(); ++now) {
    if (pipeline.out_valid()) {
      const std::size_t i = passage.left.size();
      if (i >= 2 && popped[i - 2] >= now) continue;  // two are in the stream
      passage.left.push_back(now);
    }
    pipeline.advance();
    const std::size_t next = passage.entered.size();
    if (next < items.size() && items[next] <= now) {
      pipeline.enter() = 0;
      passage.entered.push_back(now);
    }
  }
  return passage;
}

}  // namespace

TEST_CASE("a pipeline of two stages is held as the clocked one is") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed);
    const int slow = random.uniform(0, 3), late = random.uniform(0, 3);
    std::vector<Edge> items, popped;
    timing::TwoStagePipe pipe;
    std::vector<Edge> entered, left;
    for (std::size_t i = 0; i < 40; ++i) {
      items.push_back((i == 0 ? 0 : items[i - 1]) + 1 + (random.chance(40) ? random.uniform(0, late) : 0));
      if (pipe.entered() == static_cast<std::int64_t>(i)) REQUIRE(pipe.enter(items[i]));
      entered.push_back(pipe.entered(static_cast<std::int64_t>(i)));
      pipe.leave(i < 2 ? 0 : popped[i - 2] + 1);
      left.push_back(pipe.left(static_cast<std::int64_t>(i)));
      popped.push_back(std::max(left[i], i == 0 ? 0 : popped[i - 1]) + 1 +
                       (random.chance(40) ? random.uniform(0, slow) : 0));
    }
    const Passage expected = step_by_step(items, popped);
    REQUIRE(entered == expected.entered);
    REQUIRE(left == expected.left);
  }
}

}  // namespace fansim::two_stage_pipe_test
