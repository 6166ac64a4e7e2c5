// SPDX-License-Identifier: Apache-2.0
// The reports in tests/cli/reports have the vendor's form; the figures of the .rpt files are invented.
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
  refuses(replaced(hierarchical, "xczu9egffvb1156-2", "7z020clg400-1"), "the report is of 7z020clg400-1");
  refuses(replaced(base::read_file(report("flat.rpt")), "CLB LUTs* ", "Slice LUTs "),
          "a report of another device family: it counts Slice LUTs");
  refuses(replaced(base::read_file(report("hierarchy.json")), "\"LUT2\"", "\"SB_LUT4\""),
          "cell SB_LUT4 is of another device than 7 series and UltraScale+");
  refuses(replaced(base::read_file(report("hierarchy.json")), "\"LUT2\"", "\"$_AND_\""),
          "cell $_AND_ is not mapped to a device");
  refuses(replaced(base::read_file(report("hierarchy.json")), "\"LUT2\"", "\"RAMB36E1\""), "it has RAMB36E1");
}

TEST_CASE("parts are the same whose silicon is whatever package and grade and card") {
  const auto code = [](const std::string& part, const std::string& device) {
    const test::ScratchDirectory folder;
    base::write_file(folder / "r.rpt", replaced(base::read_file(report("wrap.rpt")), "xczu9eg-ffvb1156-2-e", part));
    return run_program({"calibrate", folder / "r.rpt", "--set", "device=" + device}).code;
  };
  for (const auto& [part, device] : {std::pair{"xczu9egffvb1156-2", "zcu102"},
                                     {"xczu9eg-ffvb1156-2-e", "zu9eg"},
                                     {"xcu200-fsgd2104-2-e", "vu9p"},
                                     {"xcvu9p-flga2104-2-e", "vu9p"},
                                     {"xqzu5ev-sfvc784-1-i", "zu5ev"},
                                     {"xck26-sfvc784-2LV-c", "kv260"},
                                     {"xczu5ev-sfvc784-1-e", "kv260"}}) {
    CAPTURE(part, device);
    CHECK(code(part, device) == 0);
  }
  for (const auto& [part, device] : {std::pair{"xcu250-figd2104-2L-e", "vu9p"},
                                     {"xczu9eg-ffvb1156-2-e", "zu19eg"},
                                     {"xczu19eg-ffvb1517-1-i", "zcu102"},
                                     {"xczu3eg-sbva484-1-e", "zu5ev"},
                                     {"xck26-sfvc784-2LV-c", "zcu102"}}) {
    CAPTURE(part, device);
    CHECK(code(part, device) == 2);
  }
}

TEST_CASE("reports of 7 series are read for devices of 7 series") {
  const Outcome flat = run_program({"calibrate", report("z7.rpt"), "--set", "device=xc7z020"});
  CHECK(flat.code == 0);
  CHECK_THAT(row(flat, "whole design", "LUT"), Catch::StartsWith("LUT 24873 "));
  CHECK_THAT(row(flat, "whole design", "BRAM36"), Catch::StartsWith("BRAM36 77.5 "));
  CHECK_THAT(row(flat, "whole design", "DSP"), Catch::StartsWith("DSP 164 "));
  refuses(base::read_file(report("z7.rpt")), "the report is of 7z020clg400-1, the configuration's device zcu102");
  const Outcome hierarchical = run_program({"calibrate", report("z7h.rpt"), "--set", "device=xc7z020"});
  CHECK_THAT(row(hierarchical, "dma", "LUT"), Catch::StartsWith("LUT 2400 "));
  CHECK_THAT(row(hierarchical, "whole design", "DSP"), Catch::StartsWith("DSP 164 "));
}

TEST_CASE("counts of a flat report are in the column that its head calls Used") {
  const Outcome outcome = run_program({"calibrate", report("pblock.rpt")});
  CHECK(outcome.code == 0);
  CHECK_THAT(row(outcome, "whole design", "LUT"), Catch::StartsWith("LUT 10500 "));
  CHECK_THAT(row(outcome, "whole design", "FF"), Catch::StartsWith("FF 13500 "));
  CHECK_THAT(row(outcome, "whole design", "BRAM36"), Catch::StartsWith("BRAM36 42 "));
  CHECK_THAT(row(outcome, "whole design", "DSP"), Catch::StartsWith("DSP 256 "));
  const std::string pblock = base::read_file(report("pblock.rpt")), flat = base::read_file(report("flat.rpt"));
  refuses(pblock + pblock.substr(pblock.find("| CLB LUTs")), "CLB LUTs a second time: several pblocks or designs");
  refuses(replaced(flat, "| CLB LUTs*                  | 84128 |", "| CLB LUTs* | 84128 |     1 |"),
          "7 cells under a head of 6");
  // A table of dies has other columns, and counts the same again.
  const std::string dies =
      "| Site Type | SLR0 | SLR1 | SLR0 % | SLR1 % |\n+---+\n| CLB LUTs | 7 | 8 | 0.1 | 0.1 |\n+---+\n";
  const test::ScratchDirectory folder;
  base::write_file(folder / "r.rpt", replaced(flat, "1. CLB Logic\n", dies));
  CHECK_THAT(row(run_program({"calibrate", folder / "r.rpt"}), "whole design", "LUT"), Catch::StartsWith("LUT 84128 "));
}

TEST_CASE("a wrapper whose name has a block's in it does not swallow what lies below it") {
  const Outcome outcome = run_program({"calibrate", report("wrap.rpt")});
  CHECK(outcome.code == 0);
  CHECK(row(outcome, "dma", "LUT").empty());
  CHECK_THAT(row(outcome, "mac_array", "LUT"), Catch::StartsWith("LUT 3000 "));
  CHECK_THAT(outcome.first_line(), Catch::Contains("DSP 0.083, LUT ") && Catch::EndsWith("BRAM36 -"));
  CHECK_THAT(outcome.out, Catch::Contains("matched of the design: DSP 24 of 24 (100.0 %), LUT 3000 of 12700 (23.6 %), "
                                          "FF 3100 of 11500 (27.0 %), BRAM36 0 of 45 (0.0 %)\n"));
  CHECK_THAT(outcome.out, Catch::Contains("\nmac_array: u_macs\n"));
  CHECK_THAT(row(outcome, "whole design", "LUT"), Catch::StartsWith("LUT 12700 28357 +123.3 "));
  CHECK_THAT(row(outcome, "whole design", "BRAM36"), Catch::EndsWith(" - -"));

  // One that is named as a block, but holds two others, is a wrapper too.
  const test::ScratchDirectory folder;
  std::string named =
      replaced(base::read_file(report("wrap.rpt")), "  u_outer_dma    |  outer_dma_top", "  u_dma     |  dma");
  named = replaced(named, "  u_first_mov  |    first_mover", "  u_first_mov  |    line_buffer");
  base::write_file(folder / "r.rpt", named);
  const Outcome split = run_program({"calibrate", folder / "r.rpt"});
  CHECK_THAT(row(split, "mac_array", "LUT"), Catch::StartsWith("LUT 3000 "));
  CHECK_THAT(row(split, "line_buffers", "LUT"), Catch::StartsWith("LUT 156 "));
  CHECK_THAT(row(split, "dma", "LUT"), Catch::StartsWith("LUT 9044 "));
}

TEST_CASE("a map says which instance builds a block and a file of such lines says it too") {
  const Outcome outcome = run_program(
      {"calibrate", report("wrap.rpt"), "--map", "dma=u_first_mov", "--map", "control=u_outer_dma/engine_core"});
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(row(outcome, "dma", "LUT"), Catch::StartsWith("LUT 156 "));
  CHECK_THAT(row(outcome, "control", "LUT"), Catch::StartsWith("LUT 8430 "));  // with the array, which it holds
  CHECK(row(outcome, "mac_array", "LUT").empty());
  const test::ScratchDirectory folder;
  base::write_file(folder / "map.txt", "# of this design\n\ndma=u_first_mov\n  control=u_outer_dma/engine_core\n");
  CHECK(run_program({"calibrate", report("wrap.rpt"), "--map", folder / "map.txt"}).out == outcome.out);

  const Outcome both =
      run_program({"calibrate", report("wrap.rpt"), "--map", "control=u_compute", "--map", "mac_array=u_macs"});
  CHECK_THAT(row(both, "control", "LUT"), Catch::StartsWith("LUT 5430 "));
  CHECK_THAT(row(both, "mac_array", "DSP"), Catch::StartsWith("DSP 24 "));

  const auto error = [&](const std::string& map) {
    const Outcome wrong = run_program({"calibrate", report("wrap.rpt"), "--map", map});
    CHECK(wrong.code == 2);
    CHECK(wrong.out.empty());
    return wrong.err;
  };
  CHECK_THAT(error("dmaa=u_first_mov"),
             Catch::Contains("--map: the configuration has no block 'dmaa'; did you mean 'dma'?"));
  CHECK_THAT(error("dma=u_first_mo"),
             Catch::Contains("no instance 'u_first_mo' in ") && Catch::Contains("did you mean 'u_first_mov'?"));
  CHECK_THAT(error("dma="), Catch::Contains("expected block=instance, found 'dma='"));
  base::write_file(folder / "wrong.txt", "dma=u_first_mov\nquantizer=u_macs\n");
  CHECK_THAT(error(folder / "wrong.txt"),
             Catch::StartsWith(folder / "wrong.txt:2:1: ") && Catch::Contains("'quantiser'"));
  CHECK_THAT(error(folder / "none.txt"), Catch::Contains("none.txt"));
}

TEST_CASE("a resource that the report has none of loses its own factor alone") {
  const test::ScratchDirectory folder;
  const std::string mine = folder / "mine.yaml";
  REQUIRE(run_program({"calibrate", report("wrap.rpt"), "-o", mine}).code == 0);
  const std::string text = base::read_file(mine);
  CHECK_THAT(text, Catch::Contains("scale: {dsp: 0.0833333, lut: ") && Catch::Contains("bram36: 1}"));
  std::string none = base::read_file(report("flat.rpt"));
  none = replaced(none, "|  306 |", "|    0 |");
  base::write_file(folder / "r.rpt", none);
  const Outcome flat = run_program({"calibrate", folder / "r.rpt", "-o", mine});
  CHECK(flat.code == 0);
  CHECK_THAT(flat.first_line(), Catch::Contains("DSP -, LUT 2.967,"));
}

TEST_CASE("reports of other tools and devices are named") {
  const auto named = [](const std::string& text, const std::string& message) {
    refuses(text, message);
    refuses(text, "read are Vivado's report_utilization (flat, -hierarchical or -pblocks) and Yosys's stat -json");
  };
  const std::string flat = base::read_file(report("flat.rpt"));
  named(replaced(flat, "xczu9eg-ffvb1156-2-e", "xcvc1902-vsva2197-2MP-e-S"), "a report of Versal (xcvc1902-vsva2197");
  named(replaced(flat, "| DSPs   ", "| DSP Slices"), "a report of Versal");
  named(
      "== Vitis HLS Report for 'top'\n* Date: x\n| Name | BRAM_18K| DSP | FF | LUT | URAM|\n|Total | 0| 1| 2| 3| 0|\n",
      "it is a report of Vitis HLS");
  named("Release 14.7 Map P.20131013 (lin64)\nXilinx Mapping Report File for Design 'top'\n", "it is a report of ISE");
  named("; Fitter Status ; Successful ;\n; Logic utilization (in ALMs) ; 1,234 / 56,480 ( 2 % ) ;\n",
        "it is a report of Quartus");
  named("| Tool Version : Vivado v.2024.1\n| Command : report_timing_summary\n| Design Timing Summary\n",
        "it is Vivado's report_timing_summary");
  named("=== top ===\n\n   Number of cells:    12\n     LUT6    4\n", "it is Yosys's stat as text; give stat -json");
}

namespace {

// Runs calibrate on the text of Yosys's stat.
Outcome yosys(const std::string& text, const std::vector<std::string>& more = {}) {
  const test::ScratchDirectory folder;
  base::write_file(folder / "stat.json", text);
  std::vector<std::string> arguments{"calibrate", folder / "stat.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

}  // namespace

TEST_CASE("Yosys's stat is read flat and hierarchical and with other text around it") {
  const std::string flat = R"({"creator": "Yosys 0.23", "modules": {"\\accelerator": {"num_cells_by_type":
    {"BUFG": 1, "FDRE": 48418, "LUT6": 28357, "DSP48E2": 301, "RAMB36E2": 188}}}})";
  const Outcome whole = yosys(flat);
  INFO(whole.err);
  CHECK(whole.code == 0);
  CHECK_THAT(whole.first_line(), Catch::EndsWith("DSP 1.000, LUT 1.000, FF 1.000, BRAM36 1.000"));
  CHECK(row(whole, "whole design", "DSP") == "DSP 301 301 +0.0 301.0 +0.0");
  CHECK(yosys("Found gzip magic {in} file\n" + flat + "\nEnd of script. {x}\n").out == whole.out);

  const std::string hierarchical = R"({"creator": "Yosys 0.64", "invocation": "stat -json -hierarchy ", "modules": {
    "$paramod\\mac_array\\W=4": {"num_cells_by_type": {"LUT2": {"count": "5", "local_count": "5"}},
      "num_submodules_by_type": {}},
    "\\core": {"num_cells_by_type": {"LUT2": {"count": "17", "local_count": "2"},
      "FDRE_1": {"count": "1", "local_count": "1"}},
      "num_submodules_by_type": {"$paramod\\mac_array\\W=4": {"count": "3", "local_count": "0"}}},
    "\\top": {"num_cells_by_type": {"LUT2": {"count": "35", "local_count": "1"}, "FDRE_1": {"count": "2", "local_count": "0"},
      "$scopeinfo": {"count": "1", "local_count": "1"}},
      "num_submodules_by_type": {"core": {"count": "2", "local_count": "0"}}}}})";
  const Outcome parts = yosys(hierarchical);
  INFO(parts.err);
  CHECK(parts.code == 0);
  CHECK_THAT(row(parts, "mac_array", "LUT"), Catch::StartsWith("LUT 30 "));
  CHECK_THAT(row(parts, "whole design", "LUT"), Catch::StartsWith("LUT 35 "));
  CHECK_THAT(row(parts, "whole design", "FF"), Catch::StartsWith("FF 2 "));
}

TEST_CASE(
    "Yosys's cells that are no hardware or pins or latches or of the falling edge are counted as what they take") {
  const auto cells = [](const std::string& inner) {
    return R"({"creator": "Yosys 0.55", "modules": {"\\accelerator": {"num_cells_by_type": {"LUT4": 3, "IOBUF": 1,
      "OBUFT": 2, "input_buffer": 1}}, "\\input_buffer": {"num_cells_by_type": {)" +
           inner + "}}}}";
  };
  const Outcome edges =
      yosys(cells(R"("$scopeinfo": 1, "FDRE_1": 1, "FDCE_1": 2, "LDCE": 4, "LDPE": 8, "RAMB36E2": 1)"));
  INFO(edges.err);
  CHECK_THAT(row(edges, "input_buffer", "FF"), Catch::StartsWith("FF 15 "));
  CHECK_THAT(row(edges, "input_buffer", "BRAM36"), Catch::StartsWith("BRAM36 1 "));
  CHECK_THAT(row(edges, "whole design", "LUT"), Catch::StartsWith("LUT 3 "));
  CHECK_THAT(yosys(cells(R"("URAM288": 2)")).out,
             Catch::Contains("UltraRAM: 2 in the report; no block asks for one\n"));
  const Outcome seven = yosys(cells(R"("RAMB36E1": 2, "RAMB18E1": 1, "DSP48E1": 3)"), {"--set", "device=xc7z020"});
  CHECK_THAT(row(seven, "input_buffer", "BRAM36"), Catch::StartsWith("BRAM36 2.5 "));
  refuses(cells(R"("RAMB36E1": 2, "DSP48E2": 1)"), "it has cells of two device families: RAMB36E1 and DSP48E2");
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

TEST_CASE("a report without a module of the configuration is compared as a whole and fits no scale") {
  const std::string json = base::read_file(report("hierarchy.json"));
  std::string other = json;
  for (std::size_t at = 0; (at = other.find("adder_tree")) != std::string::npos;) other.replace(at, 10, "summation_");
  const test::ScratchDirectory folder;
  base::write_file(folder / "r.json", other);
  const Outcome outcome = run_program({"calibrate", folder / "r.json"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.first_line(), Catch::EndsWith("DSP -, LUT -, FF -, BRAM36 -"));
  CHECK_THAT(row(outcome, "whole design", "LUT"), Catch::StartsWith("LUT 28 "));
  CHECK_THAT(outcome.out, Catch::Contains("no instance matches a block, so no scale is fitted; give --map "
                                          "block=instance; the blocks are dma, interconnect, "));
  refuses(other, "no instance matches a block, so there are no scales to write", {"-o", folder / "mine.yaml"});
  CHECK(!base::exists(folder / "mine.yaml"));
  CHECK_THAT(row(run_program({"calibrate", folder / "r.json", "--map", "adder_tree=summation_"}), "adder_tree", "LUT"),
             Catch::StartsWith("LUT 20 "));
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
