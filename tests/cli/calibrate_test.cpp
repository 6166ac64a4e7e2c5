// SPDX-License-Identifier: Apache-2.0
// The reports in tests/cli/reports have the vendor's form; the figures of the two .rpt files are invented.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "program.h"

namespace fansim::calibrate_test {

using test::Outcome;
using test::run_program;

namespace {

std::string report(const std::string& name) { return std::string(FANSIM_SOURCE_DIR) + "/tests/cli/reports/" + name; }

// Returns the row of one block and resource, with single spaces between its cells.
std::string row(const Outcome& outcome, const std::string& block, const std::string& resource) {
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(block + " ", 0) != 0) continue;
    std::istringstream cells(line.substr(block.size()));
    std::string text, cell;
    while (cells >> cell) text += (text.empty() ? "" : " ") + cell;
    if (text.rfind(resource + " ", 0) == 0) return text;
  }
  return "";
}

void refuses(const std::string& text, const std::string& message, const std::vector<std::string>& more = {}) {
  const test::ScratchDirectory folder;
  base::write_file(folder / "report", text);
  std::vector<std::string> arguments{"calibrate", folder / "report"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run_program(arguments);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::StartsWith(folder / "report") && Catch::Contains(message));
  CHECK(outcome.out.empty());
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("a hierarchical report is matched block by block and what lies below a block belongs to it") {
  const Outcome outcome = run_program({"calibrate", report("hierarchical.rpt")});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.first_line(), Catch::StartsWith("scales that fit zcu102_stream to Vivado's report of "));
  CHECK(row(outcome, "mac_array", "DSP") == "DSP 288 288 +0.0 288.0 +0.0");
  CHECK_THAT(row(outcome, "mac_array", "FF"), Catch::StartsWith("FF 14000 "));
  CHECK_THAT(row(outcome, "adder_tree", "LUT"), Catch::StartsWith("LUT 12000 10136 -15.5 "));  // not the one below
  CHECK_THAT(row(outcome, "dma", "BRAM36"), Catch::StartsWith("BRAM36 4 "));                   // 3 and two halves
  CHECK_THAT(row(outcome, "quantiser", "LUT"), Catch::StartsWith("LUT 3000 "));
  CHECK_THAT(outcome.out, Catch::Contains("\nadder_tree: adder_tree_a\n"));
  CHECK_THAT(outcome.out, Catch::Contains("not in the report: interconnect, control, receivers"));
}

TEST_CASE("the matched blocks of each resource have the report's sum after fitting") {
  const Outcome outcome = run_program({"calibrate", report("hierarchical.rpt")});
  for (const char* start : {"LUT 20000 ", "FF 30000 ", "DSP 296 "}) {
    const std::string sum = row(outcome, "sum", std::string(start, 3).substr(0, std::string(start).find(' ')));
    CAPTURE(sum);
    CHECK_THAT(sum, Catch::StartsWith(start) && Catch::EndsWith(" +0.0"));
  }
}

TEST_CASE("a flat report is compared as a whole") {
  const Outcome outcome = run_program({"calibrate", report("flat.rpt"), test::config("zcu102_stream")});
  CHECK(outcome.code == 0);
  CHECK_THAT(row(outcome, "whole design", "LUT"), Catch::StartsWith("LUT 84128 ") && Catch::EndsWith(" 84128.0 +0.0"));
  CHECK_THAT(row(outcome, "whole design", "FF"), Catch::StartsWith("FF 40099 "));
  CHECK_THAT(row(outcome, "whole design", "BRAM36"), Catch::StartsWith("BRAM36 145.5 "));
  CHECK_THAT(row(outcome, "whole design", "DSP"), Catch::StartsWith("DSP 306 301 -1.6 306.0"));
}

TEST_CASE("a Yosys report counts what the modules hold as often as they are instantiated") {
  const Outcome outcome = run_program({"calibrate", report("hierarchy.json")});
  CHECK(outcome.code == 0);
  CHECK_THAT(row(outcome, "adder_tree", "LUT"), Catch::StartsWith("LUT 20 "));  // 8 + 8 + 4; top's inverters apart
  CHECK_THAT(row(outcome, "adder_tree", "FF"), Catch::StartsWith("FF 20 "));
  CHECK_THAT(outcome.out, Catch::Contains("adder_tree: adder_tree, adder_tree, adder_tree\n"));
}

TEST_CASE("a report of another device is refused") {
  const std::string hierarchical = base::read_file(report("hierarchical.rpt"));
  refuses(hierarchical, "the report is of xczu9egffvb1156-2, the configuration's device kv260 is xck26",
          {"--set", "device=kv260"});
  refuses(replaced(hierarchical, "xczu9egffvb1156-2", "xc7z020clg400-1"), "the report is of xc7z020clg400-1");
  refuses(replaced(base::read_file(report("flat.rpt")), "CLB LUTs* ", "Slice LUTs "), "another device family");
  refuses(replaced(base::read_file(report("hierarchy.json")), "\"LUT2\"", "\"SB_LUT4\""),
          "cell SB_LUT4 is of another device than UltraScale+");
}

TEST_CASE("a report cut short is refused wherever the cut is") {
  const std::string hierarchical = base::read_file(report("hierarchical.rpt"));
  const std::string flat = base::read_file(report("flat.rpt"));
  const std::string json = base::read_file(report("hierarchy.json"));
  refuses(hierarchical.substr(0, hierarchical.find("|     core ")), "cut short");
  refuses(hierarchical.substr(0, hierarchical.find("accelerator")), "cut short");
  refuses(hierarchical.substr(0, hierarchical.find("+---")), "not a utilisation report");
  refuses(flat.substr(0, flat.find("2. BLOCKRAM")), "ends without a row 'DSPs'");
  refuses(flat.substr(0, flat.find("3. ARITHMETIC")), "ends without a row 'DSPs'");
  refuses(json.substr(0, json.size() / 2), "not a complete report");
  refuses("", "not a utilisation report");
  refuses("{}", "not a complete report");
  refuses(replaced(flat, "| 84128 |", "| lots  |"), "expected a count, found 'lots'");
}

TEST_CASE("a report without a module of the configuration is refused with the names that would match") {
  const std::string json = base::read_file(report("hierarchy.json"));
  std::string other = json;
  for (std::size_t at = 0; (at = other.find("adder_tree")) != std::string::npos;) other.replace(at, 10, "summation_");
  refuses(other, "no module matches a block of the configuration; its blocks are dma, interconnect, ");
  CHECK(run_program({"calibrate", "nowhere.rpt"}).code == 2);
  CHECK(run_program({"calibrate"}).code == 2);
}

TEST_CASE("a report that says more than any device has is refused at once") {
  const auto yosys = [](const std::string& modules) { return "{\n\"modules\": {\n" + modules + "\n}\n}\n"; };
  const auto module = [](const std::string& name, const std::string& cell, const std::string& count) {
    return "\"" + name + "\": {\"num_cells_by_type\": {\"" + cell + "\": " + count + "}}";
  };
  const auto two = [&](const std::string& inner, const std::string& count) {
    return yosys(module("top", "part", count) + ",\n" + module("part", inner, "1"));
  };
  refuses(two("LUT6", "2000000000"), "more than the 100000000 cells that any device has");
  refuses(two("LUT6", "2000000"), "more than 1000000 instances of modules");
  refuses(yosys(module("top", "LUT6", "99999999999999")), "more than the 100000000 cells that any device has");
  refuses(yosys(module("top", "LUT6", "-5")), "LUT6: expected a count, found -5");
  std::string doubled = module("m40", "VCC", "0");
  for (int i = 0; i < 40; ++i) doubled += ",\n" + module("m" + std::to_string(i), "m" + std::to_string(i + 1), "2");
  refuses(yosys(doubled), "more than 1000000 instances of modules");
}

TEST_CASE("calibrate -o writes a device that a configuration takes and whose estimates meet the report") {
  const test::ScratchDirectory folder;
  const std::string mine = folder / "mine.yaml", cost = folder / "e.json";
  const Outcome first = run_program({"calibrate", report("flat.rpt"), "zcu102_stream", "-o", mine});
  REQUIRE(first.code == 0);
  REQUIRE(run_program({"estimate", "zcu102_stream", "--set", "device=" + mine, "--json", cost}).code == 0);
  const nlohmann::json estimated = nlohmann::json::parse(base::read_file(cost));
  const Outcome second = run_program({"calibrate", report("flat.rpt"), "zcu102_stream", "--set", "device=" + mine});
  // Every block is rounded to whole resources, which is all that is left.
  CHECK_THAT(second.first_line(), Catch::Contains("DSP 1.000, LUT 1.000, FF 1.000"));
  std::istringstream cells(row(second, "whole design", "LUT"));
  std::string kind;
  double reported = 0, estimate = 0;
  cells >> kind >> reported >> estimate;
  CHECK(std::abs(reported - estimate) <= static_cast<double>(estimated["blocks"].size()));
  CHECK_THAT(run_program({"describe", "device", mine}).out, Catch::Contains("scale.lut"));

  // The new scales combine both reports and take one line; with `-` only they go to standard output.
  const Outcome again =
      run_program({"calibrate", report("flat.rpt"), "zcu102_stream", "--set", "device=" + mine, "-o", "-"});
  CHECK(again.code == 0);
  CHECK(again.out.find("scale: ") == again.out.rfind("scale: "));
  CHECK_THAT(again.out, Catch::Contains("name: zcu102\n"));
  CHECK_THAT(again.err, Catch::StartsWith("scales that fit"));
}

TEST_CASE("a device's scale out of range or of what has none is told with its place") {
  const test::ScratchDirectory folder;
  const std::string device = base::read_file(std::string(FANSIM_SOURCE_DIR) + "/configs/devices/zcu102.yaml");
  const auto told = [&](const std::string& scale) {
    base::write_file(folder / "d.yaml", device + scale);
    const Outcome outcome = run_program({"estimate", "zcu102_stream", "--set", "device=" + (folder / "d.yaml")});
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains("d.yaml:"));
    return outcome.err;
  };
  CHECK_THAT(told("scale: {lut: 0}\n"), Catch::Contains("0.01..100"));
  CHECK_THAT(told("scale: {lutt: 2}\n"), Catch::Contains("did you mean 'lut'?"));
}

}  // namespace fansim::calibrate_test
