// SPDX-License-Identifier: Apache-2.0
#include "timing/data_path.h"

#include <catch2/catch.hpp>

using namespace fansim;
using timing::Edge;

namespace {

arch::StreamConfig config_of(const std::vector<std::string>& settings = {}) {
  return arch::load_stream_config(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/zcu102_stream.yaml", settings);
}

const std::function<void()> kNoTile = [] { FAIL("no tile was sent"); };

arch::Command tile_of(int columns) {
  arch::Command job;
  job.output_columns = columns;
  return job;
}

}  // namespace

// docs/timing.md, "DMA and DDR": idle, an edge after the last beat, at L + 8 + 40 + 6 + n + 3.
TEST_CASE("a transfer on a quiet bus takes what the page says, whatever its length") {
  for (const int beats : {1, 5, 16, 17, 64, 65, 66, 100, 400}) {
    CAPTURE(beats);
    timing::DataPath path(config_of());
    CHECK(path.read(100, 0, static_cast<std::uint32_t>(16 * beats), kNoTile) + 1 == 100 + 57 + beats);
  }
}

TEST_CASE("a read behind a refresh waits for it, and says so") {
  timing::DataPath path(config_of());
  CHECK(path.read(5890, 0, 576, kNoTile) + 1 == 5890 + 108);  // "One 3 x 3 window"
  const auto& waits = path.read_waits().all();
  REQUIRE(waits.size() == 3);
  CHECK(waits[0].why == rules::ReadWait::none);  // its arrival
  CHECK(waits[1].why == rules::ReadWait::refresh);
  CHECK(waits[1].span.to == 5915);
}

TEST_CASE("bytes realigned to the stream need the beat behind them") {
  timing::DataPath aligned(config_of()), realigned(config_of());
  CHECK(realigned.read(0, 8, 160, kNoTile) == aligned.read(0, 0, 160, kNoTile) + 1);
}

// docs/timing.md: tile at t, word at t + 8 to the packer, beat at 10, accepted at 11, burst at 12, its grant at 14.
TEST_CASE("a tile of one word leaves as the page says") {
  timing::DataPath path(config_of());
  path.tile(tile_of(1), 1000);
  REQUIRE(path.send_tile());
  // Destination pushed at 1002, length at 1004, acts at 1005: data from 1013 on. Burst 1014, popped 1015, granted 1016;
  // response 1036, popped 1037, cleared three edges later.
  CHECK(path.output().fetched() == 1040);
  CHECK(path.output().bytes() == 8);
  CHECK_FALSE(path.send_tile());
}

TEST_CASE("tiles leave one after another, and reads meanwhile tell when") {
  timing::DataPath alone(config_of());
  alone.tile(tile_of(64), 10);
  alone.tile(tile_of(64), 11);
  REQUIRE(alone.send_tile());
  const Edge first = alone.output().fetched();
  REQUIRE(alone.send_tile());
  CHECK(alone.output().fetched() > first);

  timing::DataPath shared(config_of());
  shared.tile(tile_of(64), 10);
  int told = 0;
  const Edge busy = shared.read(5, 4096, 65536, [&] { ++told; });
  CHECK(told == 1);
  CHECK(shared.output().fetched() > first);  // it shared the bus
  CHECK(busy > timing::DataPath(config_of()).read(5, 4096, 65536, kNoTile));
}
