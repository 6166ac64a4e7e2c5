// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::counters_test {

using nlohmann::json;
using test::config;
using test::model;
using test::run_program;

TEST_CASE("run --counters says what every block counted in every layer and what it means") {
  const test::ScratchDirectory folder;
  const std::string file = folder / "c.json";
  const test::Outcome run =
      run_program({"run", config("tiny_stream"), model("tiny_conv"), "--counters", file, "--json", folder / "r.json"});
  REQUIRE(run.code == 0);
  CHECK_THAT(run.first_line(), Catch::Contains("(clocked)"));
  const json counters = json::parse(base::read_file(file)), report = json::parse(base::read_file(folder / "r.json"));
  CHECK(counters["schema"] == 1);
  REQUIRE(counters["layers"].size() == report["layers"].size());
  for (std::size_t i = 0; i < counters["layers"].size(); ++i) {
    const json &layer = counters["layers"][i], &reported = report["layers"][i];
    CHECK(layer["name"] == reported["name"]);
    CHECK(layer["cycles"] == reported["cycles"]);
    if (reported["cycles"] == 0) continue;
    // The blocks' own counts and the layer's account are taken in different places.
    CHECK(layer["blocks"]["top.dma.mm2s"]["bytes"] == reported["bytes_read"]);
    CHECK(layer["blocks"]["top.array"]["windows"] == reported["buckets"]["compute"]);
  }
  for (const auto& [block, rows] : counters["counters"].items()) {
    for (const auto& [counter, row] : rows.items()) {
      INFO(block << "." << counter);
      CHECK(!row["unit"].get<std::string>().empty());
      CHECK(!row["meaning"].get<std::string>().empty());
    }
  }
}

TEST_CASE("the tiled accelerator's blocks count too") {
  const test::ScratchDirectory folder;
  const std::string file = folder / "c.json";
  REQUIRE(run_program({"run", config("faq_zcu102_dorefa8"), model("lenet5"), "--layers", "fc5", "--counters", file,
                       "--timing-only"})
              .code == 0);
  const json counters = json::parse(base::read_file(file));
  CHECK(counters["layers"][0]["blocks"].size() > 20);
}

TEST_CASE("counters of the fast engine are refused before the run and so is a file that cannot be written") {
  const test::Outcome fast =
      run_program({"run", config("tiny_stream"), model("tiny_conv"), "--counters", "/tmp/c.json", "--engine", "fast"});
  CHECK(fast.code == 2);
  CHECK(fast.err == "run: --counters reads the blocks of the clocked engine, not --engine fast\n");
  const test::Outcome nowhere =
      run_program({"run", config("tiny_stream"), model("tiny_conv"), "--counters", "/no/such/folder/c.json"});
  CHECK(nowhere.code == 2);
  CHECK(nowhere.out.empty());
}

}  // namespace fansim::counters_test
