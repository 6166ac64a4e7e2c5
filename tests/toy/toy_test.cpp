// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

// The program with one accelerator more, built outside this tree from what is installed: a folder (tests/toy/copy) and
// a line of the registry.
namespace {

const std::string kFolder = TOY_FOLDER;

struct Said {
  int code = 0;
  std::string out;
};

// Standard output and error together.
Said say(const std::string& arguments, const std::string& program = TOY_PROGRAM) {
  Said said;
  std::FILE* pipe = popen((program + " " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  std::array<char, 4096> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe)) said.out.append(part.data(), count);
  said.code = WEXITSTATUS(pclose(pipe));
  return said;
}

std::string text_of(const std::string& name) {
  std::ifstream file(name);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string files() { return kFolder + "copy_zcu102.yaml " + kFolder + "copies.yaml"; }

}  // namespace

TEST_CASE("a new accelerator is listed and described") {
  CHECK_THAT(say("list systems").out, Catch::Contains("copy") && Catch::Contains("copies a tensor"));
  const Said overview = say("describe");
  CHECK_THAT(overview.out, Catch::Contains("system copy: engine axi ddr host"));
  CHECK_THAT(overview.out, Catch::Contains("the copy engine's registers: copy"));
  CHECK_THAT(say("describe engine").out, Catch::Contains("engine.buffer_beats") && Catch::Contains("1..256"));
  CHECK_THAT(say("describe copy").out, Catch::Contains("destination"));
}

TEST_CASE("a new statistic is a row: described and in the text and in JSON and CSV and compared between the engines") {
  CHECK(say("describe bursts").out == "bursts [bursts]: bursts copied, each read whole before it is written\n");
  const std::string json = "toy_run.json", csv = "toy_run.csv";
  const Said run = say("run " + files() + " --verify --cross-check --json " + json + " --csv " + csv);
  INFO(run.out);
  REQUIRE(run.code == 0);
  CHECK_THAT(run.out, Catch::Contains("verified") && Catch::Contains("written MB  bursts"));
  CHECK_THAT(run.out, Catch::Contains("both engines agree in every cycle count, counter and byte"));

  std::FILE* file = std::fopen(json.c_str(), "r");
  REQUIRE(file);
  const nlohmann::json report = nlohmann::json::parse(file);
  std::fclose(file);
  // 1,800 bytes are 113 beats of 16: bursts of 16 up to the 4 KiB boundary, 8 in all.
  for (const auto& layer : report["layers"]) {
    CHECK(layer["bursts"] == 8);
    CHECK(layer["bytes_read"] == 113 * 16);
    const auto& buckets = layer["buckets"];
    CHECK(buckets["read"].get<int>() + buckets["write"].get<int>() + buckets["host"].get<int>() == layer["cycles"]);
  }
  CHECK(report["total"]["bursts"] == 16);
  CHECK(report["total"]["buckets"].size() == 3);

  std::array<char, 4096> head{};
  file = std::fopen(csv.c_str(), "r");
  REQUIRE(file);
  REQUIRE(std::fgets(head.data(), head.size(), file));
  std::fclose(file);
  CHECK_THAT(head.data(), Catch::Contains("write_gb_per_s,bursts,read,write,host,output_hash"));
  std::remove(json.c_str());
  std::remove(csv.c_str());
}

TEST_CASE("both engines of a new accelerator agree over memories and bursts") {
  for (const char* fidelity : {"ideal", "fixed", "banked --set ddr.part=../../configs/parts/zcu102_ddr4_2133.yaml"}) {
    for (const char* beats : {"1", "3", "16", "64"}) {
      const Said run = say("run " + files() + " --verify --cross-check --set ddr.fidelity=" + fidelity +
                           " --set axi.burst_beats=" + beats + " --set engine.buffer_beats=64");
      INFO(fidelity << " " << beats << "\n" << run.out);
      CHECK(run.code == 0);
    }
  }
}

TEST_CASE("a new accelerator is estimated and explored and recorded and counted") {
  CHECK_THAT(say("estimate " + files()).out, Catch::Contains("copy_zcu102 fits zcu102"));
  const Said search = say("explore " + kFolder + "space.yaml " + kFolder + "copies.yaml --jobs 1");
  INFO(search.out);
  CHECK(search.code == 0);
  CHECK_THAT(search.out, Catch::Contains("--set engine.buffer_beats=64 --set axi.burst_beats=64"));
  const std::string counters = "toy_counters.json";
  const Said counted = say("run " + files() + " --counters " + counters);
  CHECK(counted.code == 0);
  std::FILE* file = std::fopen(counters.c_str(), "r");
  REQUIRE(file);
  const nlohmann::json report = nlohmann::json::parse(file);
  std::fclose(file);
  std::remove(counters.c_str());
  CHECK(report["layers"][0]["blocks"]["top.engine"]["beats"] == 113);
  CHECK(report["counters"]["top.engine"]["beats"]["unit"] == "beats");
}

TEST_CASE("a program of one's own steps every cycle of the new accelerator and records it") {
  const std::string vcd = "toy_run.vcd";
  const Said run = say(files() + " " + vcd, TOY_RUN);
  INFO(run.out);
  REQUIRE(run.code == 0);
  CHECK_THAT(run.out, Catch::Contains(", 8 bursts\n") && Catch::Contains("top.engine.beats 113 beats") &&
                          Catch::Contains("0 differences from the reference"));
  const std::string wave = text_of(vcd);
  CHECK_THAT(wave, Catch::Contains("$enddefinitions") && Catch::Contains("valid"));
  // Its cycles are those of the command line, on both engines.
  const Said both = say("run " + files() + " --cross-check --csv " + "toy_both.csv");
  REQUIRE(both.code == 0);
  const std::string csv = text_of("toy_both.csv");
  const std::size_t cycles = run.out.find("first: ") + 7;
  CHECK_THAT(csv, Catch::Contains("," + run.out.substr(cycles, run.out.find(' ', cycles) - cycles) + ","));
  std::remove(vcd.c_str());
  std::remove("toy_both.csv");
}

TEST_CASE("a new accelerator is recorded from the command line") {
  const std::string vcd = "toy_cli.vcd";
  const Said run = say("run " + files() + " --vcd " + vcd + " --vcd-layer second --vcd-scope 'top.engine*'");
  INFO(run.out);
  REQUIRE(run.code == 0);
  CHECK_THAT(text_of(vcd), Catch::Contains("module engine") && !Catch::Contains("module host"));
  std::remove(vcd.c_str());
}

TEST_CASE("a new accelerator answers what it cannot do") {
  const Said odd = say("run " + kFolder + "copy_zcu102.yaml " FANSIM_SOURCE_DIR "/models/lenet5.yaml");
  CHECK(odd.code == 3);
  CHECK_THAT(odd.out, Catch::Contains("conv1: does not fit: the copy engine only copies"));
  const Said typo = say("run " + files() + " --set engine.bufer_beats=3");
  CHECK(typo.code == 2);
  CHECK_THAT(typo.out, Catch::Contains("did you mean 'buffer_beats'"));
  const Said system = say("run " + files() + " --set system=cpoy");
  CHECK(system.code == 2);
  CHECK_THAT(system.out, Catch::Contains("did you mean 'copy'"));
}
