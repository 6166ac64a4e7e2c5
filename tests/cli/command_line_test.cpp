// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::command_line_test {

using test::config;
using test::model;
using test::Outcome;
using test::run_program;

namespace {

const std::vector<std::string> kSystems{"zcu102_stream",   "faq_zcu102_dorefa8", "faq_zcu102_bnn",
                                        "lut_kernel",      "vision_zcu102",      "float_trainer",
                                        "faq_zcu102_vecq", "zcu102_int8_chain",  "tiny_stream"};

}  // namespace

TEST_CASE("what comes with the program goes by its name") {
  const Outcome by_name = run_program({"run", "tiny_stream", "tiny_conv", "--timing-only"});
  CHECK(by_name.code == 0);
  CHECK(by_name.out == run_program({"run", config("tiny_stream"), model("tiny_conv"), "--timing-only"}).out);
  CHECK_THAT(run_program({"run", "tiny_stram", "tiny_conv"}).err,
             Catch::Contains("configuration 'tiny_stram' unknown") && Catch::Contains("did you mean 'tiny_stream'?"));
  const Outcome network = run_program({"run", "tiny_stream", "tiny_cnv"});
  CHECK(network.code == 2);
  CHECK_THAT(network.err, Catch::Contains("network 'tiny_cnv' unknown") && Catch::Contains("'tiny_conv'"));
  CHECK(run_program({"run", "vta_pynq_1x16", "R50-1x16_20", "--timing-only", "--set", "device=zu9eg"}).code == 0);
  CHECK(run_program({"estimate", "zcu102_stream"}).code == 0);
  CHECK(run_program({"explore", "tiny_straem", "tiny_conv"}).code == 2);
}

TEST_CASE("short options do what they do elsewhere") {
  CHECK(run_program({"-V"}).out == run_program({"--version"}).out);
  CHECK(run_program({"-h"}).out == run_program({"--help"}).out);
  CHECK(run_program({"run", "-h"}).out == run_program({"run", "--help"}).out);
  const Outcome quiet = run_program({"run", "tiny_stream", "tiny_conv", "-q", "--timing-only"});
  CHECK(quiet.out == run_program({"run", "tiny_stream", "tiny_conv", "--timing-only"}).first_line() + "\n");
}

TEST_CASE("a resolved configuration is read again to the same bytes and runs the same") {
  const test::ScratchDirectory folder;
  const std::string file = folder / "resolved.yaml", again = folder / "again.yaml";
  for (const std::string& system : kSystems) {
    CAPTURE(system);
    const Outcome first = run_program({"describe", config(system)});
    REQUIRE(first.code == 0);
    base::write_file(file, first.out);
    const Outcome second = run_program({"describe", file});
    CHECK(second.out == first.out);
    if (system != "lut_kernel") CHECK(run_program({"describe", system}).out == first.out);  // a block of that name
  }
  const std::string json = folder / "a.json", resolved = folder / "b.json";
  REQUIRE(run_program({"run", "tiny_stream", "tiny_conv", "--set", "axi.outstanding=2", "--json", json}).code == 0);
  base::write_file(file, run_program({"describe", "tiny_stream", "--set", "axi.outstanding=2"}).out);
  REQUIRE(run_program({"run", file, "tiny_conv", "--json", resolved}).code == 0);
  auto a = nlohmann::json::parse(base::read_file(json)), b = nlohmann::json::parse(base::read_file(resolved));
  a.erase("tool");
  b.erase("tool");
  CHECK(a == b);
  CHECK(a["config"]["resolved"]["axi"]["outstanding"] == 2);
  CHECK(a["config"]["resolved"]["device"] == "zcu102");
}

TEST_CASE("a device of one's own is resolved to its file") {
  const test::ScratchDirectory folder;
  std::string device = base::read_file(std::string(FANSIM_SOURCE_DIR) + "/configs/devices/zcu102.yaml");
  device.replace(device.find("name: zcu102"), 12, "name: mine");
  base::write_file(folder / "mine.yaml", device);
  const Outcome outcome = run_program({"describe", "zcu102_stream", "--set", "device=" + (folder / "mine.yaml")});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("device: \"" + (folder / "mine.yaml") + "\""));
}

TEST_CASE("a configuration comes from standard input") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "in.yaml", run_program({"describe", "tiny_stream"}).out);
  const auto from_file = [&] { REQUIRE(std::freopen((folder / "in.yaml").c_str(), "r", stdin) != nullptr); };
  const Outcome outcome = run_program({"run", "-", "tiny_conv", "-q"}, from_file);
  CHECK(outcome.code == 0);
  CHECK(outcome.out == run_program({"run", "tiny_stream", "tiny_conv", "-q"}).out);
  const auto from_nothing = [] { REQUIRE(std::freopen("/dev/null", "r", stdin) != nullptr); };
  CHECK(run_program({"run", "-", "tiny_conv"}, from_nothing).code == 2);
}

TEST_CASE("a run says frames a second and energy a frame unless it has some of the layers only") {
  const test::ScratchDirectory folder;
  const std::string json = folder / "run.json";
  const Outcome outcome = run_program({"run", "zcu102_stream", "lenet5", "--timing-only", "--json", json});
  const auto report = nlohmann::json::parse(base::read_file(json));
  const double seconds = report["total"]["seconds"].get<double>();
  CHECK(report["frames_per_s"].get<double>() == Approx(1 / seconds));
  CHECK(report["energy_mj"].get<double>() == Approx(1e3 * seconds * report["power_w"].get<double>()));
  CHECK_THAT(outcome.out, Catch::Contains(" frames/s, ") && Catch::Contains(" mJ a frame"));
  CHECK_THAT(run_program({"run", "zcu102_stream", "lenet5", "--timing-only", "--layers", "conv1"}).out,
             !Catch::Contains("frames/s"));
}

}  // namespace fansim::command_line_test
