// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "base/file.h"
#include "program.h"

using namespace fansim;
using test::config;
using test::model;
using test::Outcome;
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

TEST_CASE("register ports on wires have all that AXI4-Lite asks for, the protection bits too") {
  const std::string vcd =
      record({"--set", "axi.pins=true", "--vcd-window", "100:200", "--vcd-scope", "top.*s_axi_core*"}).vcd;
  for (const char* wire : {"awvalid", "awaddr", "awprot", "wstrb", "bresp", "araddr", "arprot", "rresp"}) {
    CAPTURE(wire);
    CHECK(vcd.find(wire) != std::string::npos);
  }
}

TEST_CASE("a window after the end is refused, and no older file passes for its waveform") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "w.vcd", "older");
  const Outcome outcome = run_program({"run", config("tiny_stream"), model("tiny_conv"), "--vcd", folder / "w.vcd",
                                       "--vcd-window", "9000000:9000001", "--json", folder / "r.json"});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains(folder / "w.vcd: nothing recorded"));
  CHECK_THAT(outcome.out, Catch::Contains("tiny_conv on tiny_stream"));
  CHECK(test::files_in(folder.path()) == std::vector<std::string>{"r.json"});
}

TEST_CASE("a scope that names nothing is refused before the run, with the nearest one") {
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
  CHECK_THAT(outcome.err, Catch::Contains("--vcd-window FROM:TO or --vcd-layer NAME"));
  CHECK(test::files_in(folder.path()).empty());
}

TEST_CASE("every signal of the waveform layout is in the waveform") {
  const std::string vcd = record({"--vcd-window", "100:101"}).vcd;
  std::istringstream header(vcd.substr(0, vcd.find("$enddefinitions")));
  std::set<std::string> known;
  std::vector<std::string> scope;
  for (std::string word; header >> word;) {
    if (word == "$upscope") scope.pop_back();
    if (word == "$scope") {
      header >> word >> word;
      scope.push_back(word);
    } else if (word == "$var") {
      std::string name, bits;
      header >> word >> word >> word >> name >> bits;
      std::string path;
      for (const std::string& part : scope) path += part + ".";
      known.insert(path + name + (bits[0] == '[' ? bits : ""));
    }
  }
  std::istringstream layout(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/traces/stream.gtkw"));
  int signals = 0;
  for (std::string line; std::getline(layout, line);) {
    line.erase(0, line.find("SystemC."));  // a label may stand before the name
    if (line.rfind("SystemC.", 0) != 0) continue;
    CAPTURE(line);
    CHECK(known.count(line) == 1);
    ++signals;
  }
  CHECK(signals > 50);
}
