// SPDX-License-Identifier: Apache-2.0
// These tests take SCALE-Sim's tables and arrays through the real binary, to cycles.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::scale_sim_test {

using test::Outcome;
using test::run_program;

namespace {

const std::string kTable =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n"
    "Conv 1, 16, 16, 3, 3, 8, 12, 1,\n";
const std::string kArray =
    "[general]\nrun_name = ../my run\n[architecture_presets]\nArrayHeight: 8\nArrayWidth: 4\nIfmapSramSzkB: 16\n"
    "FilterSramSzkB: 8\nOfmapSramSzkB: 8\nIfmapOffset: 0\nDataflow : os\nBandwidth : 10\n"
    "[run_presets]\nInterfaceBandwidth: USER\n";

struct Files : test::ScratchDirectory {
  Outcome import(const std::string& name, const std::string& text, const std::vector<std::string>& more = {}) const {
    base::write_file(*this / name, text);
    std::vector<std::string> arguments{"import", *this / name, "-o", *this / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
  // Checks that the import is refused with exit code 2 and one line that begins like this, and that nothing is written.
  void refuses(const std::string& name, const std::string& text, const std::string& message) const {
    const Outcome outcome = import(name, text);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::StartsWith(*this / name + message));
    CHECK(outcome.err.size() < 500);
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(outcome.out.empty());
    CHECK(!base::exists(*this / "out"));
  }
};

// Returns "108,604 cycles" from the report's first line.
std::string cycles_of(const Outcome& outcome) {
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  const std::string line = outcome.first_line();
  const std::size_t begin = line.find(": ");
  return line.substr(begin + 2, line.find(" cycles") - begin - 2);
}

}  // namespace

TEST_CASE("a row of SCALE-Sim's table takes the cycles of the same layer written by hand") {
  const Files files;
  const Outcome imported = files.import("net.csv", kTable + "g,64,24,1,24,1,10,1,\nconv_1,9,9,3,3,4,4,2\n");
  INFO(imported.err);
  REQUIRE(imported.code == 0);
  CHECK_THAT(imported.out, Catch::Contains("3 networks of one int8 layer each") && Catch::Contains("padding 0") &&
                               Catch::Contains("GEMM, 64 x 24 by 24 x 10"));
  CHECK(test::files_in(files / "out") == std::vector<std::string>{"Conv_1.yaml", "conv_1.yaml", "g.yaml"});
  base::write_file(files / "hand.yaml",
                   "version: 1\nname: hand\ninput: {shape: [8, 16, 16], type: int8}\nlayers:\n"
                   "  - {name: layer, type: conv, filters: 12, kernel: 3}\n");
  for (const char* config : {"tiny_stream", "zcu102_stream", "faq_zcu102_dorefa8_dsp"})
    for (const char* engine : {"fast", "clocked"}) {
      const auto run = [&](const std::string& network) {
        return cycles_of(run_program({"run", test::config(config), network, "--engine", engine, "--verify"}));
      };
      CHECK(run(files / "out/Conv_1.yaml") == run(files / "hand.yaml"));
    }
  cycles_of(run_program({"run", test::config("faq_zcu102_dorefa8_dsp"), files / "out/g.yaml", "--verify"}));
}

TEST_CASE("an array of SCALE-Sim is a configuration that runs and each of its keys is accounted for") {
  const Files files;
  REQUIRE(files.import("net.csv", kTable + "DP,9,9,3,3,8,1,1\n").code == 0);
  const Outcome imported = files.import("array.cfg", kArray);
  INFO(imported.err);
  REQUIRE(imported.code == 0);
  for (const char* words : {"ArrayHeight", "conv.tn 8", "conv.tm 4", "conv.input_words 1024", "IfmapOffset",
                            "none to choose", "out/my_run.yaml"})
    CHECK_THAT(imported.out, Catch::Contains(words));
  for (const char* network : {"Conv_1", "DP"}) {
    const Outcome run = run_program({"run", files / "out/my_run.yaml", files / "out/" + std::string(network) + ".yaml",
                                     "--verify", "--cross-check"});
    cycles_of(run);
    CHECK_THAT(run.err, Catch::Contains("cross-check: both engines agree"));
  }
}

TEST_CASE("the smallest and the largest arrays load") {
  const Files files;
  REQUIRE(files.import("net.csv", kTable).code == 0);
  for (const char* size : {"1", "3", "1048576"})
    for (const char* stores : {"1", "100", "1048576"})
      for (const char* bandwidth : {"1", "3", "1048576"}) {
        CAPTURE(size, stores, bandwidth);
        const std::string text = fmt::format(
            "[a]\nrun_name = 1\nArrayHeight: {0}\nArrayWidth: {0}\nIfmapSramSzkB: {1}\nFilterSramSzkB: {1}\n"
            "OfmapSramSzkB: {1}\nDataflow : is\nBandwidth : {2}\nInterfaceBandwidth: USER\n",
            size, stores, bandwidth);
        REQUIRE(files.import("array.cfg", text).code == 0);
        const Outcome run = run_program({"run", files / "out/1.yaml", files / "out/Conv_1.yaml", "--timing-only"});
        INFO(run.err);
        CHECK((run.code == 0 || run.code == 3));
      }
}

TEST_CASE("rows that no layer stands for are listed with line and reason and the others are imported") {
  const Files files;
  const std::string wrong = "wide,700,161,20,5,1,32,2,\nbig,5,5,7,7,1,1,1,\nx,1,1,1,1,1,one,1\ny,1,1\n";
  const Outcome outcome = files.import("net.csv", kTable + wrong + "last,9,9,3,3,4,4,2,\n");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.err, Catch::StartsWith(files / "net.csv: 4 of 6 rows have no layer; the others are imported\n") &&
                              Catch::Contains("3     wide   a filter of 20 x 5; square ones are computed") &&
                              Catch::Contains("4     big    a filter of 7 x 7 over 5 x 5") &&
                              Catch::Contains("5     x      num filter: expected an integer 1..1048576, found 'one'") &&
                              Catch::Contains("6     y      3 cells; expected 8"));
  CHECK_THAT(outcome.out, Catch::Contains("2 networks of one int8 layer each"));
  CHECK(test::files_in(files / "out") == std::vector<std::string>{"Conv_1.yaml", "last.yaml"});
  cycles_of(run_program({"run", test::config("tiny_stream"), files / "out/last.yaml", "--verify"}));
}

TEST_CASE("a table of which no row can be imported is refused and nothing is written") {
  const Files files;
  const Outcome outcome =
      files.import("net.csv", kTable.substr(0, kTable.find('\n') + 1) + "x\x1b[31m,0,1,1,1,1,1,1\n");
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::StartsWith(files / "net.csv: 1 of 1 rows have no layer; nothing is written\n") &&
                              Catch::Contains("ifmap height: expected an integer") && !Catch::Contains("\x1b"));
  CHECK(outcome.out.empty());
  CHECK(!base::exists(files / "out"));
}

TEST_CASE("what is no table or array of SCALE-Sim is refused before anything is written") {
  const Files files;
  files.refuses("net.csv", "", ": empty; expected a header");
  files.refuses("net.csv", "a,b\n", ":1:1: 2 columns; expected a header");
  files.refuses("net.csv", kTable + std::string(1 << 20, ','), ":3:1: a line of 1048576 characters; allowed: 4096");
  files.refuses("net.CFG", "", ": key 'run_name' is missing");
  files.refuses("array.cfg", "ArrayHeight: 8\n", ":1:1: expected a [section]");
  CHECK_THAT(run_program({"import", files / "none.csv", "-o", files / "out"}).err,
             Catch::Contains("none.csv: cannot read"));
  CHECK_THAT(run_program({"import", files / "none.cfg", "-o", files / "out"}).err,
             Catch::Contains("none.cfg: cannot read"));
  CHECK(run_program({"import", files / "net.csv"}).err == "import: --output is missing\n");
  CHECK(files.import("net.csv", kTable, {"--method", "dorefa"}).err == "import: --method is of an ONNX file\n");
  CHECK(!base::exists(files / "out"));
}

}  // namespace fansim::scale_sim_test
