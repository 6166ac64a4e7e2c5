// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file.h"
#include "program.h"

namespace fansim::faults_test {

using test::run_program;

namespace {

test::Outcome run_with(const std::vector<std::string>& more) {
  std::vector<std::string> words{"run", "tiny_stream", "tiny_conv"};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a run in which the driver gives up says so first and shows what it saw and ends with 1") {
  const test::Outcome run = run_with({"--fault", "kind=slverr, at=ddr.read, nth=3"});
  CHECK(run.code == 1);
  CHECK(contains(run.first_line(), "THE DRIVER GAVE UP"));
  CHECK(contains(run.out, "Halted DMASlvErr Err_Irq"));
  CHECK(contains(run.out, "the driver gave up: conv1: MM2S has stopped"));
}

TEST_CASE("a run that recovers ends with 0 and is verified") {
  const test::Outcome run = run_with({"--fault", "kind=drop, at=host.job_interrupt", "--set", "host.timeout=20000",
                                      "--set", "host.retry=1", "--verify"});
  CHECK(run.code == 0);
  CHECK(contains(run.first_line(), ", verified"));
  CHECK(contains(run.out, "the layer begins again (1 of 1)"));
}

TEST_CASE("a wrong output fails verification and a hang is the watchdog's") {
  CHECK(run_with({"--fault", "kind=stuck, at=array.products, word=3, bit=12, value=1", "--verify"}).code == 1);
  const test::Outcome hang = run_with({"--fault", "kind=drop, at=host.layer_interrupt"});
  CHECK(hang.code == 4);
  CHECK(contains(hang.err, "host waits for the end-of-layer interrupt"));
}

TEST_CASE("a configuration's faults are as those of the option and read again from the resolved configuration") {
  const test::ScratchDirectory folder;
  const std::string config = folder / "c.yaml";
  base::write_file(config, base::read_file(test::config("tiny_stream")) +
                               "faults:\n- {kind: flip, at: ddr.data, layer: conv2, word: 3000, bit: 6}\n");
  const std::string json = folder / "r.json", other = folder / "o.json";
  REQUIRE(run_program({"run", config, "tiny_conv", "--json", json}).code == 0);
  REQUIRE(run_with({"--fault", "kind=flip, at=ddr.data, layer=conv2, word=3000, bit=6", "--json", other}).code == 0);
  const auto ours = nlohmann::json::parse(base::read_file(json)),
             theirs = nlohmann::json::parse(base::read_file(other));
  CHECK(ours["faults"] == theirs["faults"]);
  CHECK(ours["layers"] == theirs["layers"]);
  CHECK(ours["config"]["hash"] != theirs["config"]["hash"]);
  REQUIRE(ours["config"]["resolved"]["faults"].size() == 1);
  base::write_file(folder / "again.yaml", ours["config"]["resolved"].dump());
  REQUIRE(run_program({"run", folder / "again.yaml", "tiny_conv", "--json", folder / "a.json"}).code == 0);
  CHECK(nlohmann::json::parse(base::read_file(folder / "a.json"))["layers"] == ours["layers"]);
}

TEST_CASE("what goes with no fault is refused with 2") {
  struct Case {
    std::vector<std::string> words;
    const char* says;
  };
  for (const Case& one : std::vector<Case>{
           {{"--fault", "kind=drop, at=host.job_interrupt", "--engine", "fast"},
            "the clocked one alone knows the fault"},
           {{"--fault", "kind=flip, at=lines.lines, cycle=3", "--cross-check"}, "--cross-check compares both engines"},
           {{"--fault", "kind=flip, at=ddr.data, layer=conv9"}, "no layer 'conv9'"},
           {{"--fault", "kind=flip, at=ddr.data, layer=pool1"}, "no layer 'pool1'"},
           {{"--fault", "kind=flip, at=ddr.data, word=2000000000"}, "word 2000000000 of ddr.data: allowed: 0.."},
           {{"--fault", "kind=slverr, at=ddr.raed"}, "did you mean 'ddr.read'?"},
           {{"--fault", "kind=slverr, at=dma.mm2s"}, "dma.mm2s is no place of kind slverr"},
           {{"--fault", "kind=stuck"}, "'at'"},
           {{"--fault", "kind=flip, at=ddr.data", "--frames", "2"}, "--frames are alike"},
           {{"--set", "host.retry=1", "--set", "axi.pins=true", "--fault", "kind=drop, at=host.job_interrupt"},
            "no reset"},
           {{"--set", "faults=[{kind: flip, at: ddr.data, nth: 2}]"}, "has no 'nth'"},
           {{"--fault", "kind=flip, at=ddr.data", "--timing-only"}, "--timing-only computes no values"},
           {{"--set", "faults=3"}, "expected a list"}}) {
    const test::Outcome run = run_with(one.words);
    CAPTURE(one.words, run.err);
    CHECK(run.code == 2);
    CHECK(contains(run.err, one.says));
  }
}

TEST_CASE("other subcommands refuse a configuration with faults or say nothing of them") {
  const std::vector<std::string> faulty{"--set", "faults=[{kind: flip, at: ddr.data}]"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), faulty.begin(), faulty.end());
    return run_program(words);
  };
  CHECK(with({"estimate", "tiny_stream"}).code == 0);
  CHECK(contains(with({"inject", "tiny_stream", "tiny_conv"}).err, "inject: "));
  CHECK(contains(with({"describe", "tiny_stream"}).out, "faults"));
}

TEST_CASE("the kinds of faults and their keys and their places are described") {
  const test::Outcome described = run_program({"describe", "faults"});
  CHECK(described.code == 0);
  for (const char* word :
       {"flip", "stuck", "slverr", "decerr", "stall", "drop", "repeat", "halt", "word", "nth", "rate"})
    CHECK(contains(described.out, word));
  const test::Outcome places = run_program({"inject", "tiny_stream", "tiny_conv", "--places"});
  CHECK(places.code == 0);
  for (const char* place : {"weight_buffer.half0", "accumulator.sums", "ddr.data", "array.weights"})
    CHECK(contains(places.out, place));
}

TEST_CASE("a campaign that is ended by SIGINT keeps what is done and goes on to the same table") {
  const test::ScratchDirectory folder;
  std::vector<std::string> words{"inject", "tiny_stream", "tiny_conv", "--count", "150", "--jobs", "2"};
  const test::Outcome whole = run_program(words);
  REQUIRE(whole.code == 0);
  words.insert(words.end(), {"--resume", folder / "c.db"});
  const pid_t child = test::start_program(words);
  for (int i = 0; i < 200 && !base::exists(folder / "c.db"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  ::kill(child, SIGINT);
  const int code = test::wait_for(child);
  CHECK((code == 130 || code == 0));
  words[6] = "1";
  CHECK(run_program(words).out == whole.out);
}

TEST_CASE("a wrong campaign is refused with 2") {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--count", "0"},
                                             {"--count", "x"},
                                             {"--jobs", "0"},
                                             {"--kind", "flop"},
                                             {"--at", "nowhere.*"},
                                             {"--kind", "protocol", "--at", "ddr.data"},
                                             {"--engine", "fast"},
                                             {"--engine", "slow"},
                                             {"--json", "/nowhere/x.json"},
                                             {"--set", "faults=[{kind: halt, at: dma.mm2s}]"}}) {
    std::vector<std::string> words{"inject", "tiny_stream", "tiny_conv"};
    words.insert(words.end(), more.begin(), more.end());
    CAPTURE(words);
    const test::Outcome outcome = run_program(words);
    CHECK(outcome.code == 2);
    CHECK_FALSE(outcome.err.empty());
  }
}

}  // namespace fansim::faults_test
