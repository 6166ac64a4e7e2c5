// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "accelerators/decoupled/config/config.h"
#include "base/file.h"
#include "support/user_error.h"

namespace fansim::tile_table_test {

using namespace decoupled;
using test::message_of;

namespace {

const std::string kTiny = FANSIM_SOURCE_DIR "/configs/systems/tiny_decoupled.yaml";
const std::string kHead = "layer,rows,columns,inputs,outputs,threads\n";

std::string refused(const std::string& rows) {
  return message_of([&] { parse_tile_table(kHead + rows, "t.csv"); });
}

}  // namespace

TEST_CASE("a table of tiles has a row for each layer that has its own") {
  const TileTable table = parse_tile_table(
      "# of one network\nthreads, layer, rows, columns, inputs, outputs\nrows, a, 2, 0, 16, 32\nnone, b c, 0, 7, 0, "
      "0\n",
      "t.csv");
  REQUIRE(table.size() == 2);
  const TileLimits& a = table.at("a");
  CHECK((a.rows == 2 && a.columns == 0 && a.inputs == 16 && a.outputs == 32 && a.threads == Threads::rows));
  CHECK(table.at("b c").columns == 7);
}

TEST_CASE("what is wrong in a table of tiles is said with its place") {
  CHECK(refused("a,1,1,1,1,row\n") == "t.csv:2:11: threads 'row'; allowed: none, outputs, rows; did you mean 'rows'?");
  CHECK(refused("a,1,x,1,1,none\n") == "t.csv:2:5: columns 'x'; allowed: an integer 0..65536, 0: what fits");
  CHECK(refused("a,1,1,1,70000,none\n") == "t.csv:2:9: outputs '70000'; allowed: an integer 0..65536, 0: what fits");
  CHECK(refused("a,0,0,0,0,none\na,1,0,0,0,none\n") == "t.csv:3:1: layer 'a' has a row already");
  CHECK_THAT(refused(",1,1,1,1,none\n"), Catch::Contains("t.csv:2") && Catch::Contains("a name is missing"));
  CHECK_THAT(refused("a,1,1\n"), Catch::Contains("t.csv:2"));
  CHECK_THAT(message_of([] { parse_tile_table("layer,rows\n", "t.csv"); }), Catch::Contains("t.csv:1"));
  CHECK_THAT(message_of([] { parse_tile_table("", "t.csv"); }), Catch::Contains("t.csv: no rows"));
}

TEST_CASE("a configuration's table lies beside it and is part of what it is") {
  const test::ScratchDirectory folder;
  const std::string file = folder / "c.yaml", device = FANSIM_SOURCE_DIR "/configs/devices/zcu102.yaml";
  std::string text = base::read_file(kTiny);
  text.replace(text.find("device: zcu102"), 14, "device: " + device);
  base::write_file(file, text);
  const std::vector<std::string> tiled{"schedule.tiles=t.csv"};
  CHECK_THAT(message_of([&] { Config::read(file, tiled); }), Catch::Contains(folder / "t.csv"));
  base::write_file(folder / "t.csv", kHead + "a,2,0,0,0,outputs\n");
  const Config first = Config::read(file, tiled);
  CHECK(first.limits_of("a").rows == 2);
  CHECK(first.limits_of("a").threads == Threads::outputs);
  CHECK(first.limits_of("b").rows == first.schedule.rows);
  base::write_file(folder / "t.csv", kHead + "a,3,0,0,0,outputs\n");
  CHECK(Config::read(file, tiled).hash != first.hash);
  CHECK(Config::read(file, {}).tiles.empty());
}

TEST_CASE("a schedule of lines has neither threads nor pieces") {
  for (const char* more : {"schedule.threads=rows", "schedule.weight_pieces=2"})
    CHECK_THAT(message_of([&] {
                 Config::read(kTiny, {"schedule.maps=lines", more});
               }),
               Catch::Contains("schedule.maps lines"));
}

}  // namespace fansim::tile_table_test
