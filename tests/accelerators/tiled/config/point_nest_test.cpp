// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/point_nest.h"

#include <catch2/catch.hpp>

namespace fansim::point_nest_test {

using tiled::Config;
using tiled::PointNest;
using tiled::TiledJob;

namespace {

struct Count {
  std::int64_t points = 0, sets = 0, firsts = 0, input_halves = 0, sum_halves = 0, border = 0;
};

// Walks the whole nest; every half that is opened is closed before the next.
Count walk(const TiledJob& job, const tiled::EngineConfig& engine) {
  Count n;
  bool input_open = false, sums_open = false;
  for (PointNest nest(job, engine); !nest.done(); nest.next()) {
    ++n.points;
    n.sets += nest.new_set();
    n.firsts += nest.first();
    n.border += nest.index() < 0;
    if (nest.opens_inputs()) REQUIRE(!std::exchange(input_open, true));
    if (nest.opens_sums()) REQUIRE(!std::exchange(sums_open, true));
    REQUIRE((input_open && sums_open));
    if (nest.closes_inputs()) n.input_halves += std::exchange(input_open, false);
    if (nest.closes_sums()) n.sum_halves += std::exchange(sums_open, false);
  }
  REQUIRE((!input_open && !sums_open));
  return n;
}

}  // namespace

// FAQ-CNN has tm = 128 and tn = 24. AlexNet's conv3 (256 channels of 13 x 13, border 1, to 384) takes 3 x 11 tiles of
// 13 x 13 points by 9 steps, 1,521 cycles each.
TEST_CASE("AlexNet's third convolution on 128 x 24 MACs is 33 tiles of 1521 points") {
  tiled::EngineConfig engine{128, 24};
  TiledJob job;
  job.instruction.in_channels = 256;
  job.instruction.out_channels = 384;
  job.instruction.height = job.instruction.width = 13;
  job.instruction.kernel = 3;
  job.instruction.padding = 1;
  job.out_rows = job.out_columns = job.tile_rows = job.tile_columns = 13;
  const Count n = walk(job, engine);
  CHECK(n.points == 33 * 1521);
  CHECK(n.sets == 33 * 9);
  CHECK(n.input_halves == 33);
  CHECK(n.sum_halves == 3);
  CHECK(n.firsts == 3 * 169);
  CHECK(n.border == 33 * (4 * 25 + 4 * 13));  // a corner step misses 13 + 12 points, an edge step 13
}

// The input vector has two blocks of 8 and 4 inputs. There are two m blocks of 3 groups x 2 outputs, and k tiles of 2
// steps x 2 inputs.
TEST_CASE("the FC engine walks blocks and m blocks and k tiles and steps and groups and keeps its sums to the end") {
  tiled::EngineConfig engine{2, 2};
  TiledJob job;
  job.engine = tiled::Config::kFc;
  job.instruction.type = tiled::Instruction::kFc;
  job.instruction.in_channels = 11;
  job.instruction.out_channels = 9;
  job.fc_block = 8;
  job.fc_steps = 2;
  job.fc_groups = 3;
  const Count n = walk(job, engine);
  CHECK(n.points == (2 * 2 + 2 * 1) * 2 * 3);
  CHECK(n.sets == n.points);
  CHECK(n.input_halves == 2);
  CHECK(n.sum_halves == 1);
  CHECK(n.firsts == 6);

  PointNest nest(job, engine);
  const auto skip = [&](int points) {
    while (points-- > 0) nest.next();
  };
  CHECK((nest.entry() == 0 && nest.index() == 0 && nest.channels() == 2));
  skip(4);  // step 1, group 1
  CHECK((nest.entry() == 1 && nest.index() == 2 && !nest.first()));
  skip(2);  // k tile 1
  CHECK((nest.entry() == 0 && nest.index() == 4));
  skip(6);  // m block 1
  CHECK((nest.entry() == 3 && nest.index() == 0 && nest.first()));
  skip(12);  // block 1: inputs 8 to 10
  CHECK((nest.entry() == 0 && nest.index() == 0 && !nest.first() && nest.opens_inputs()));
  skip(3);
  CHECK((nest.entry() == 0 && nest.index() == 2 && nest.channels() == 1));
}

}  // namespace fansim::point_nest_test
