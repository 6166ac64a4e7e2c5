// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/file.h"
#include "cli/recording.h"
#include "program.h"

namespace fansim::waveform_test {

using test::config;
using test::model;
using test::Outcome;
using test::Recording;
using test::run_program;

namespace {

struct Recorded {
  Outcome outcome;
  std::string vcd;
};

Recorded record(const std::vector<std::string>& options) {
  const test::ScratchDirectory folder;
  std::vector<std::string> arguments{"run", config("tiny_stream"), model("tiny_conv"), "--vcd", folder / "w.vcd"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Recorded result;
  result.outcome = run_program(arguments);
  CHECK(result.outcome.code == 0);
  CHECK(test::files_in(folder.path()) == std::vector<std::string>{"w.vcd"});
  result.vcd = base::read_file(folder / "w.vcd");
  return result;
}

}  // namespace

TEST_CASE("a waveform changes no cycle and writes only its file") {
  const Recorded recorded = record({});
  const Outcome plain = run_program({"run", config("tiny_stream"), model("tiny_conv"), "--engine", "clocked"});
  CHECK(recorded.outcome.out == plain.out);
  CHECK(recorded.vcd.find("$enddefinitions") != std::string::npos);
}

TEST_CASE("a window or a layer records less than everything") {
  const std::size_t all = record({}).vcd.size();
  const std::size_t window = record({"--vcd-window", "1000:2000"}).vcd.size();
  const std::size_t layer = record({"--vcd-layer", "conv5"}).vcd.size();
  CHECK(window < all / 4);
  CHECK(window > 1000);
  CHECK(layer < all / 4);
  CHECK(layer > 1000);
}

TEST_CASE("a scope records the instances it names") {
  const std::string everything = record({"--vcd-window", "100:200"}).vcd;
  const std::string reads = record({"--vcd-window", "100:200", "--vcd-scope", "top.axi_r*"}).vcd;
  CHECK(everything.find("awaddr") != std::string::npos);
  CHECK(reads.find("awaddr") == std::string::npos);
  CHECK(reads.find("$scope module axi_r ") != std::string::npos);
  CHECK(reads.size() < everything.size());
}

TEST_CASE("register ports on wires have all that AXI4-Lite asks for with the protection bits too") {
  const std::string vcd =
      record({"--set", "axi.pins=true", "--vcd-window", "100:200", "--vcd-scope", "top.*s_axi_core*"}).vcd;
  for (const char* wire : {"awvalid", "awaddr", "awprot", "wstrb", "bresp", "araddr", "arprot", "rresp"}) {
    CAPTURE(wire);
    CHECK(vcd.find(wire) != std::string::npos);
  }
}

namespace {

std::string refusal(std::vector<std::string> options, const std::string& network = "tiny_conv") {
  const test::ScratchDirectory folder;
  std::vector<std::string> arguments{"run", config("tiny_stream"), model(network), "--vcd", folder / "w.vcd"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = run_program(arguments);
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(test::files_in(folder.path()).empty());
  return outcome.err;
}

}  // namespace

TEST_CASE("what would record nothing is refused before the run with what there is") {
  CHECK_THAT(refusal({"--vcd-window", "25453:25454"}),
             Catch::Contains("25453:25454 would record nothing: the last layer's last edge is 25452"));
  CHECK_THAT(refusal({"--vcd-window", "1551:1600", "--vcd-layer", "conv5"}),
             Catch::Contains("would record nothing: conv5's last cycle is 1550"));
  CHECK_THAT(refusal({"--vcd-trigger", "ddr_row_miss"}),
             Catch::Contains("would record nothing: no cycle of the run is"));
  CHECK_THAT(refusal({"--vcd-trigger", "wait_wieghts"}), Catch::Contains("did you mean 'wait_weights'?"));
  CHECK_THAT(refusal({"--vcd-trigger", "compute:0"}), Catch::Contains("expected BUCKET or BUCKET:CYCLES"));
  CHECK_THAT(refusal({"--vcd-layer", "conv5", "--layers", "conv1..conv2"}), Catch::Contains("no layer 'conv5' runs"));
}

TEST_CASE("the last cycles before a refusal are recorded") {
  CHECK(Recording(record({"--vcd-window", "25451:25452"}).vcd).edges({}).size() == 1);
  CHECK(Recording(record({"--vcd-window", "1550:1600", "--vcd-layer", "conv5"}).vcd).edges({}).size() == 1);
}

TEST_CASE("a scope that names nothing is refused before the run with the nearest one") {
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program(
      {"run", config("tiny_stream"), model("tiny_conv"), "--vcd", folder / "w.vcd", "--vcd-scope", "top.sequencr"});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("--vcd-scope 'top.sequencr' names no stream") &&
                              Catch::Contains("did you mean 'top.sequencer.*'?"));
  CHECK(outcome.out.empty());
  CHECK(test::files_in(folder.path()).empty());
}

TEST_CASE("a waveform of a whole long run is refused with the ways to ask for less") {
  const test::ScratchDirectory folder;
  const Outcome outcome =
      run_program({"run", config("zcu102_stream"), model("alexnet"), "--timing-only", "--vcd", folder / "w.vcd"});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("--vcd-window FROM:TO, --vcd-layer NAME or --vcd-trigger BUCKET"));
  CHECK(test::files_in(folder.path()).empty());
}

TEST_CASE("words say layer and bucket of every edge and add up to the report on every machine") {
  const std::pair<const char*, const char*> machines[] = {{"tiny_stream", "tiny_conv"},
                                                          {"faq_zcu102_dorefa8", "lenet5"},
                                                          {"vision_zcu102", "pipelines/edge"},
                                                          {"float_trainer", "digits"},
                                                          {"tiny_decoupled", "tiny_conv"}};
  for (const auto& [machine, network] : machines) {
    CAPTURE(machine);
    const test::ScratchDirectory folder;
    const Outcome outcome =
        run_program({"run", config(machine), model(network), "--timing-only", "--vcd", folder / "w.vcd", "--vcd-window",
                     "0:1000000", "--vcd-scope", "top.host.step", "--json", folder / "r.json"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    std::map<std::string, std::map<std::string, std::int64_t>> counted, reported;
    std::set<std::string> steps;
    for (const std::vector<std::string>& edge :
         Recording(base::read_file(folder / "w.vcd")).edges({"layer", "bucket", "top.host.step"})) {
      if (edge[0] != "none") ++counted[edge[0]][edge[1]];
      steps.insert(edge[2]);
    }
    const nlohmann::json report = nlohmann::json::parse(base::read_file(folder / "r.json"));
    for (const auto& layer : report.at("layers"))
      for (const auto& [bucket, cycles] : layer.at("buckets").items())
        if (cycles > 0) reported[layer.at("name")][bucket] = cycles;
    CHECK(counted == reported);
    CHECK(steps.count("software") == 1);
    CHECK(steps.count("write_core") == 1);
  }
}

TEST_CASE("words are numbers with a table or strings or both as asked and say the same") {
  const std::vector<std::string> part{"--vcd-window", "1:400", "--vcd-scope", "top.host.step"};
  const auto with = [&](const char* words) {
    std::vector<std::string> options = part;
    options.insert(options.end(), {"--vcd-words", words});
    return record(options).vcd;
  };
  const std::string enums = with("enums"), strings = with("strings"), both = with("both");
  CHECK(record(part).vcd == enums);
  CHECK(enums.find("$var string") == std::string::npos);  // IEEE 1364 has no such type
  CHECK(enums.find("$comment words of top.host.step: 0=") != std::string::npos);
  CHECK(strings.find("$comment") == std::string::npos);
  const std::vector<std::string> names{"edge", "layer", "bucket", "top.host.step"};
  const auto shown = Recording(enums).edges(names);
  CHECK(shown.size() == 399);
  CHECK(shown == Recording(strings).edges(names));
  CHECK(shown == Recording(both).edges(names));
  CHECK(shown == Recording(both).edges({"edge", "layer_word", "bucket_word", "top.host.step_word"}));
  CHECK_THAT(refusal({"--vcd-words", "enum"}), Catch::Contains("did you mean 'enums'?"));
  const Outcome alone = run_program({"run", config("tiny_stream"), model("tiny_conv"), "--vcd-words", "both"});
  CHECK(alone.code == 2);
  CHECK_THAT(alone.err, Catch::Contains("--vcd-words needs --vcd"));
}

TEST_CASE("edge n of a run is at n periods") {
  const Recording recording(record({"--vcd-window", "1:20"}).vcd);
  const std::vector<std::int64_t> rises = recording.times("pl_clk", "1");
  REQUIRE(rises.size() == 19);
  for (std::size_t i = 0; i < rises.size(); ++i) CHECK(rises[i] == 10'000 * static_cast<std::int64_t>(i + 1));
}

TEST_CASE("the clock rises at every edge and falls between") {
  const Recording recording(record({"--vcd-window", "100:200"}).vcd);
  CHECK(recording.changes("pl_clk", "1") == 100);
  CHECK(recording.changes("pl_clk", "0") >= 99);
}

TEST_CASE("a beat that is taken fires once with its payload") {
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program({"run", config("tiny_stream"), model("tiny_conv"), "--vcd", folder / "w.vcd",
                                       "--counters", folder / "c.json", "--json", folder / "r.json"});
  REQUIRE(outcome.code == 0);
  const Recording recording(base::read_file(folder / "w.vcd"));
  std::int64_t beats = 0, packets = 0;
  for (const std::vector<std::string>& edge : recording.edges({"top.axis_mm2s.fire", "top.axis_mm2s.tlast"})) {
    beats += edge[0] == "1";
    packets += edge[0] == "1" && edge[1] == "1";
  }
  std::int64_t sent = 0, transfers = 0;
  const nlohmann::json counters = nlohmann::json::parse(base::read_file(folder / "c.json"));
  for (const auto& layer : counters.at("layers")) {
    if (layer.value("cycles", 0) == 0) continue;
    const auto& mover = layer.at("blocks").at("top.dma.mm2s");
    sent += mover.at("beats").get<std::int64_t>();
    transfers += mover.at("transfers").get<std::int64_t>();
  }
  CHECK(beats == sent);
  CHECK(packets == transfers);
  CHECK(beats > 1000);
}

TEST_CASE("a trigger records from the first cycle of its bucket in the window and layer that are asked for") {
  const auto edges = [](const std::vector<std::string>& options) {
    return Recording(record(options).vcd).edges({"edge", "layer", "bucket"});
  };
  const auto all = edges({"--vcd-scope", "top.host.step"});
  const auto first = [&](const std::string& layer, const std::string& bucket, std::size_t skip) {
    std::size_t in_layer = 0;
    for (const auto& edge : all)
      if ((layer.empty() || edge[1] == layer) && in_layer++ >= skip && edge[2] == bucket) return edge[0];
    return std::string();
  };
  const auto run = edges({"--vcd-trigger", "compute:50"});
  REQUIRE(run.size() == 50);
  CHECK(run.front()[0] == first("", "compute", 0));
  const auto layer = edges({"--vcd-trigger", "wait_input", "--vcd-layer", "conv3"});
  REQUIRE(layer.size() == 1000);
  CHECK(layer.front() == std::vector<std::string>{first("conv3", "wait_input", 0), "conv3", "wait_input"});
  const auto window = edges({"--vcd-trigger", "compute:9999", "--vcd-layer", "conv3", "--vcd-window", "3000:3500"});
  CHECK(window.front()[2] == "compute");
  CHECK(window.size() <= 500);
  const auto alone = edges({"--vcd-trigger", "compute:20", "--layers", "conv2", "--vcd-layer", "conv2"});
  CHECK(alone.size() == 20);
}

TEST_CASE("a window counts from the first cycle of its layer if there is one") {
  const auto layer = Recording(record({"--vcd-layer", "conv2"}).vcd).edges({"edge", "layer"});
  CHECK(layer.size() == 4721);
  const auto part = Recording(record({"--vcd-layer", "conv2", "--vcd-window", "10:20"}).vcd).edges({"edge", "layer"});
  CHECK(part == std::vector<std::vector<std::string>>(layer.begin() + 10, layer.begin() + 20));
}

TEST_CASE("globs choose signals by their full names and several are joined") {
  const Recording recording(record({"--vcd-window", "100:200", "--vcd-scope", "*.fire,top.sequencer.state"}).vcd);
  CHECK(recording.has("top.axi_r.fire"));
  CHECK_FALSE(recording.has("top.axi_r.valid"));
  CHECK(recording.has("top.sequencer.state"));
  CHECK_FALSE(recording.has("top.array.state"));
}

// tests/waveforms reads the content of such a file.
TEST_CASE("a waveform named .fst is an FST and smaller") {
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program({"run", config("tiny_stream"), model("tiny_conv"), "--vcd", folder / "w.fst"});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(test::files_in(folder.path()) == std::vector<std::string>{"w.fst"});
  const std::string fst = base::read_file(folder / "w.fst");
  CHECK(fst.substr(0, 9) == std::string("\0\0\0\0\0\0\0\1\x49", 9));  // the header, of 329 bytes
  CHECK(fst.substr(74, 6) == "fansim");
  CHECK(fst.size() < record({}).vcd.size() / 5);
}

TEST_CASE("every signal of the waveform layouts is in the waveform and something happens where they open") {
  const std::tuple<const char*, const char*, const char*> layouts[] = {{"stream", "tiny_stream", "tiny_conv"},
                                                                       {"tiled", "faq_zcu102_dorefa8", "lenet5"}};
  for (const auto& [layout, machine, network] : layouts) {
    const test::ScratchDirectory folder;
    REQUIRE(
        run_program({"run", config(machine), model(network), "--vcd", folder / "w.vcd", "--vcd-trigger", "compute:60"})
            .code == 0);
    const Recording recording(base::read_file(folder / "w.vcd"));
    std::istringstream lines(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/traces/" + layout + ".gtkw"));
    int signals = 0, fires = 0;
    for (std::string line; std::getline(lines, line);) {
      line.erase(0, line.find("SystemC."));  // a label may stand before the name
      if (line.rfind("SystemC.", 0) != 0) continue;
      CAPTURE(line);
      const std::string name = line.substr(8);
      CHECK(recording.has(name));
      ++signals;
      if (name.find(".fire") != std::string::npos) fires += recording.changes(name, "1") > 0;
    }
    CHECK(signals > 50);
    CHECK(fires >= 2);
    for (const auto& edge : recording.edges({"bucket"})) CHECK(edge[0] != "none");
  }
}

}  // namespace fansim::waveform_test
