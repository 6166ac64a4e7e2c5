// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "program.h"

using namespace fansim;
using test::config;
using test::model;
using test::Outcome;
using test::run_program;

TEST_CASE("help and version are on standard output, exit 0") {
  CHECK(run_program({"--version"}).out == "fansim 0.1.0\n");
  CHECK_THAT(run_program({"--help"}).out, Catch::Contains("reproduce"));
  const Outcome help = run_program({"run", "--help"});
  CHECK(help.code == 0);
  CHECK_THAT(help.out, Catch::Contains("usage: fansim run CONFIG NETWORK") && Catch::Contains("--vcd-window"));
  CHECK(run_program({}).code == 2);
}

TEST_CASE("an estimate shows every block, the device, Fmax and power") {
  const Outcome outcome = run_program({"estimate", config("zcu102_stream"), model("lstm256")});
  CHECK(outcome.code == 0);
  CHECK(outcome.first_line() == "zcu102_stream fits zcu102");
  for (const char* part : {"mac_array", "weight_buffer", "274,080", "Fmax", "processing system", "lstm256: "})
    CHECK_THAT(outcome.out, Catch::Contains(part));
}

TEST_CASE("describe knows every block of a configuration and every bucket") {
  const Outcome overview = run_program({"describe"});
  CHECK(overview.code == 0);
  CHECK_THAT(overview.out, Catch::Contains("array quantiser buffers dma axi ddr host schedule"));
  CHECK_THAT(run_program({"describe", "array"}).out,
             Catch::Contains("array.rows") && Catch::Contains("1..12") && Catch::Contains("tap rows of the array"));
  CHECK_THAT(run_program({"describe", "wait_input"}).out, Catch::StartsWith("wait_input [cycles]: "));
  CHECK_THAT(run_program({"describe", "command"}).out, Catch::Contains("receive_input"));
}

TEST_CASE("list names what comes with the program") {
  CHECK_THAT(run_program({"list"}).out,
             Catch::Contains("zcu102_stream") && Catch::Contains("vgg16") && Catch::Contains("kv260"));
  CHECK_THAT(run_program({"list", "models"}).out, Catch::Contains("vgg16") && !Catch::Contains("kv260"));
}

namespace {

struct Reproduction {
  Outcome outcome;
  nlohmann::json rows;
  bool outside = false;
};

// A paper's rows, every one as committed.
Reproduction reproduced(const std::string& paper) {
  const test::ScratchDirectory folder;
  Reproduction r{run_program({"reproduce", paper, "--json", folder / "r.json"}), {}, false};
  r.rows = nlohmann::json::parse(base::read_file(folder / "r.json"))["rows"];
  const auto golden =
      nlohmann::json::parse(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/tests/cli/reproduce_golden.json"))
          .at(paper);
  for (const auto& row : r.rows) {
    const std::string quantity = row["quantity"], status = row["status"];
    CAPTURE(quantity);
    CHECK(row["paper"] == paper);
    REQUIRE(golden.contains(quantity));
    const auto& committed = golden[quantity]["simulated"];
    CHECK(row["simulated"].is_null() == committed.is_null());
    if (!committed.is_null()) CHECK(row["simulated"].get<double>() == Approx(committed.get<double>()).epsilon(1e-12));
    CHECK(status == golden[quantity]["status"]);
    CHECK_FALSE(row["source"].get<std::string>().empty());
    r.outside = r.outside || status == "outside";
  }
  CHECK(r.rows.size() == golden.size());
  CHECK(r.outcome.code == (r.outside ? 1 : 0));
  return r;
}

}  // namespace

TEST_CASE("the thesis is reproduced: times, DSP and BRAM within their tolerance, misses named") {
  for (const auto& row : reproduced("uestc").rows)
    for (const char* promised : {"VGG-16 time", "LSTM-256 time", "DSP", "BRAM36", "power"})
      if (row["quantity"] == promised) CHECK((row["status"] == "within" || row["status"] == "exact"));
}

TEST_CASE("WP490 is reproduced: 14 multiply-accumulates on 8 slices come out of the slices") {
  const Reproduction r = reproduced("wp490");
  CHECK_FALSE(r.outside);
  for (const auto& row : r.rows)
    if (row["quantity"] == "INT8 multiply-accumulates per slice") CHECK(row["status"] == "exact");
}

TEST_CASE("the reconfigurable-LUT kernel is reproduced: tables and reload exactly, the lost table named as lost") {
  const Reproduction r = reproduced("kassel");
  CHECK_FALSE(r.outside);
  int tables = 0, lost = 0;
  for (const auto& row : r.rows) {
    const std::string quantity = row["quantity"];
    const bool is_table = quantity.rfind("table LUTs", 0) == 0, is_kernel = quantity.rfind("LUTs with", 0) == 0;
    if (is_table || quantity == "reload without shadow LUTs") CHECK(row["status"] == "exact");
    if (is_kernel) CHECK((row["status"] == "lost" && row["published"].is_null()));
    tables += is_table, lost += is_kernel;
  }
  CHECK(tables == 20);
  CHECK(lost == 36);
}
