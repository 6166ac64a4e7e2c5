// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/hash.h"
#include "base/npy.h"
#include "program.h"

namespace fansim::run_test {

using nlohmann::json;
using test::config;
using test::model;
using test::Outcome;
using test::run_program;

namespace {

struct Run {
  Outcome outcome;
  json report;
};

Run run(const std::string& network, const std::vector<std::string>& options = {}) {
  const test::ScratchDirectory folder;
  std::vector<std::string> arguments{"run", config("tiny_stream"), model(network), "--json", folder / "r.json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Run result;
  result.outcome = run_program(arguments);
  INFO(result.outcome.err);
  REQUIRE(result.outcome.code == 0);
  result.report = json::parse(base::read_file(folder / "r.json"));
  return result;
}

const json& layer(const json& report, const std::string& name) {
  for (const json& one : report["layers"])
    if (one["name"] == name) return one;
  FAIL("no layer " << name);
  return report;
}

}  // namespace

TEST_CASE("every tiny network runs verified against the reference executor") {
  for (const char* network :
       {"tiny_conv", "tiny_grouped", "tiny_gru", "tiny_lstm", "tiny_mobile", "tiny_residual", "tiny_uint8"}) {
    CAPTURE(network);
    const Run r = run(network, {"--verify", "--engine", "clocked"});
    CHECK_THAT(r.outcome.first_line(), Catch::StartsWith(std::string(network) + " on tiny_stream (clocked): ") &&
                                           Catch::EndsWith(" GOPS, verified"));
    CHECK(r.outcome.err.empty());
  }
}

TEST_CASE("the report's keys are those of schema version 1 and its numbers agree with each other") {
  const json r = run("tiny_conv").report;
  CHECK(r["schema"] == 1);
  CHECK(r["engine"] == "fast");
  CHECK(r["config"]["name"] == "tiny_stream");
  std::int64_t cycles = 0;
  for (const json& one : r["layers"]) {
    CAPTURE(one["name"]);
    std::int64_t buckets = 0;
    for (const auto& [name, value] : one["buckets"].items()) buckets += value.get<std::int64_t>();
    CHECK(buckets == one["cycles"]);
    CHECK(one["ops"] == 2 * one["macs"].get<std::int64_t>());
    cycles += one["cycles"].get<std::int64_t>();
  }
  CHECK(r["total"]["cycles"] == cycles);
  for (const char* key : {"tool", "network", "seed", "clock_hz", "resources", "device", "fits", "fmax_hz", "power_w"})
    CHECK(r.contains(key));
}

TEST_CASE("the same inputs and seed give the same bytes") {
  const test::ScratchDirectory folder;
  const std::vector<std::string> arguments{
      "run",   config("tiny_stream"), model("tiny_lstm"), "--json", folder / "r.json", "--csv", folder / "r.csv",
      "--vcd", folder / "r.vcd"};
  const Outcome first = run_program(arguments);
  const std::string json1 = base::read_file(folder / "r.json"), csv1 = base::read_file(folder / "r.csv");
  const std::string vcd1 = base::read_file(folder / "r.vcd");
  const Outcome second = run_program(arguments);
  CHECK(first.code == 0);
  CHECK(second.out == first.out);
  CHECK(base::read_file(folder / "r.json") == json1);
  CHECK(base::read_file(folder / "r.csv") == csv1);
  CHECK(base::read_file(folder / "r.vcd") == vcd1);
}

TEST_CASE("another seed changes the values and no cycle") {
  const json one = run("tiny_conv").report, two = run("tiny_conv", {"--seed", "2"}).report;
  CHECK(one["total"] == two["total"]);
  CHECK(layer(one, "fc6")["output_hash"] != layer(two, "fc6")["output_hash"]);
  CHECK(two["seed"] == 2);
}

TEST_CASE("timing only gives the same counts and no hashes") {
  const json full = run("tiny_residual").report, timing = run("tiny_residual", {"--timing-only"}).report;
  CHECK(full["total"] == timing["total"]);
  for (const json& one : timing["layers"]) CHECK_FALSE(one.contains("output_hash"));
}

TEST_CASE("chosen layers take the cycles and give the values they have in a full run") {
  const json full = run("tiny_conv").report;
  const json part = run("tiny_conv", {"--layers", "conv2,conv4..conv5", "--verify"}).report;
  REQUIRE(part["layers"].size() == 3);
  for (const json& one : part["layers"]) CHECK(one == layer(full, one["name"]));
}

TEST_CASE(
    "with a banked memory a layer's cycles do not depend on what ran before and the report says what is left out") {
  const std::vector<std::string> banked{"--set", "ddr=../parts/zcu102_ps_ddr4.yaml", "--set", "ddr.fidelity=banked",
                                        "--verify"};
  std::vector<std::string> some = banked;
  some.insert(some.end(), {"--layers", "conv2,conv4..conv5"});
  const Run full = run("tiny_conv", banked);
  CHECK_THAT(full.outcome.first_line(), Catch::EndsWith(", verified"));
  CHECK_THAT(full.outcome.out, Catch::Contains("DDR banked: zcu102_ddr4_2133 at 3200/3 MHz, open page") &&
                                   Catch::Contains("left out: command bus conflicts"));
  const json part = run("tiny_conv", some).report;
  REQUIRE(part["layers"].size() == 3);
  for (const json& one : part["layers"]) CHECK(one == layer(full.report, one["name"]));
}

TEST_CASE("a dump holds every output that leaves the chip as its hash says") {
  const test::ScratchDirectory folder;
  const json r = run("tiny_conv", {"--dump", folder / "new/dump"}).report;
  int hashed = 0;
  for (const json& one : r["layers"]) hashed += one.contains("output_hash") ? 1 : 0;
  CHECK(static_cast<int>(test::files_in(folder / "new/dump").size()) == hashed);
  const auto conv2 = base::read_npy<std::int8_t>(folder / "new/dump/conv2.npy", {16, 12, 10});
  CHECK(base::Fnv1a().add(conv2.data(), conv2.size()).text() == layer(r, "conv2")["output_hash"]);
  // A pooling fused into a convolution has the output of both.
  const auto pool1 = base::read_npy<std::int8_t>(folder / "new/dump/pool1.npy", {12, 12, 10});
  CHECK(base::Fnv1a().add(pool1.data(), pool1.size()).text() == layer(r, "pool1")["output_hash"]);
  CHECK(layer(r, "pool1")["cycles"] == 0);
  CHECK_FALSE(layer(r, "conv1").contains("output_hash"));
}

TEST_CASE("an input tensor replaces the random one") {
  const test::ScratchDirectory folder;
  base::write_npy(folder / "in.npy", {3, 24, 20}, std::vector<std::int8_t>(3 * 24 * 20, 1));
  const json given = run("tiny_conv", {"--input", folder / "in.npy", "--verify"}).report;
  CHECK(layer(given, "fc6")["output_hash"] != layer(run("tiny_conv").report, "fc6")["output_hash"]);
}

TEST_CASE("an override changes the machine and its hash and may repeat") {
  const json usual = run("tiny_conv").report;
  const json slow = run("tiny_conv", {"--set", "ddr.read_latency=200", "--set", "clock_mhz=50", "--verify"}).report;
  CHECK(slow["total"]["cycles"] > usual["total"]["cycles"]);
  CHECK(slow["clock_hz"] == 50e6);
  CHECK(slow["config"]["hash"] != usual["config"]["hash"]);
}

TEST_CASE("loading from an SD card is a stage of its own and alike in both engines and in no layer's cycles") {
  const json without = run("hand_fc").report;
  CHECK_FALSE(without.contains("loading"));
  const Run slow = run("hand_fc", {"--set", "host.sd_mb_per_s=3", "--cross-check"});
  const json& loading = slow.report["loading"];
  // There are four groups of outputs, with 3 x 3 x 4 taps for each of four channels and four words of bias, and 16
  // bytes of input.
  CHECK(loading["bytes"] == 4 * (36 * 4 + 16) + 16);
  CHECK(loading["cycles"] == (656 * 100 + 2) / 3);  // at 100 MHz
  CHECK(slow.report["total"]["cycles"] == without["total"]["cycles"]);
  CHECK_THAT(slow.outcome.out, Catch::Contains("SD card: ") && Catch::Contains("not in the total"));
  for (const std::vector<std::string>& way : {std::vector<std::string>{"--timing-only"}, {"--engine", "clocked"}}) {
    std::vector<std::string> options{"--set", "host.sd_mb_per_s=3"};
    options.insert(options.end(), way.begin(), way.end());
    CHECK(run("hand_fc", options).report["loading"] == loading);
  }
  // A single layer loads what it reads and its parameters.
  const std::vector<std::string> set{"--set", "host.sd_mb_per_s=3"};
  const json all = run("tiny_conv", set).report;
  const json one = run("tiny_conv", {"--set", "host.sd_mb_per_s=3", "--layers", "fc6"}).report;
  CHECK(one["loading"]["bytes"] < all["loading"]["bytes"]);
  CHECK(one["loading"]["bytes"] > 0);
}

TEST_CASE("the CSV has one row per layer") {
  const test::ScratchDirectory folder;
  const json r = run("tiny_gru", {"--csv", folder / "r.csv"}).report;
  const std::string csv = base::read_file(folder / "r.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == static_cast<std::ptrdiff_t>(r["layers"].size()) + 1);
}

}  // namespace fansim::run_test
