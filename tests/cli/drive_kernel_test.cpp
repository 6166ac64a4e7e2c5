// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <cmath>
#include <sstream>

#include "base/file.h"
#include "base/random.h"
#include "program.h"

namespace fansim::drive_kernel_test {

using test::Outcome;
using test::run_program;

namespace {

struct DriveKernel {
  test::ScratchDirectory folder;
  std::string stimulus = folder / "k.csv";

  Outcome operator()(const std::string& rows, const std::vector<std::string>& settings = {}) {
    base::write_file(stimulus, rows);
    std::vector<std::string> arguments{"drive", "lut_kernel", stimulus};
    for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
    return run_program(arguments);
  }
};

std::string random_row(const char* op, int inputs, base::Random& random) {
  std::string row = op;
  for (int i = 0; i < inputs; ++i) row += "," + std::to_string(random.uniform(-128, 127));
  return row + "\n";
}

}  // namespace

TEST_CASE("drive lut_kernel gives every sum with its cycle") {
  DriveKernel drive;
  const std::string rows =
      "op,v0,v1,v2\ncoefficients,3,-128,127\ninputs,1,2,3\ninputs,-128,-128,127\ncoefficients,1,0,-1\ninputs,5,6,7\n";
  // By docs/lut_kernels.md: the set is pushed at 1 and popped at 2, its beats are pushed from 3 on and shifted at 4
  // .. 35. The vector taken at 35 has its entries at 37, which the tree pops at 38. Three inputs make columns of six
  // bits; two stages of counters and the last adder push the sum at 41, and it is taken at 42. The second set is popped
  // at 34 and shifted at 36 .. 67, because the shadow tables are free when the first is taken; its sum is taken at 67
  // + 7.
  const Outcome outcome = drive(rows);
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "cycle,sum,exact,error\n42,128,128,0.000000\n43,32129,32129,0.000000\n74,-2,-2,0.000000\n");
  CHECK_THAT(outcome.err, Catch::Contains("largest error") && Catch::Contains("multiplier.reload_waits"));
  CHECK(drive(rows).out == outcome.out);
  const Outcome blind = drive(rows, {"shadow_luts=false"});
  CHECK_THAT(blind.out, Catch::EndsWith(",-2,-2,0.000000\n"));
  CHECK(run_program({"drive", "lut_kernel", std::string(FANSIM_SOURCE_DIR) + "/traces/lut_kernel.csv"}).code == 0);
}

TEST_CASE("drive lut_kernel's faithful sums err less than a unit and it prints by how much") {
  const std::uint64_t seed = 17;
  INFO("seed " << seed);
  base::Random random(seed, "drive kernel");
  constexpr int kInputs = 9, kSets = 20, kVectors = 20;
  std::string rows = "op";
  for (int i = 0; i < kInputs; ++i) rows += ",v" + std::to_string(i);
  rows += "\n";
  for (int set = 0; set < kSets; ++set) {
    rows += random_row("coefficients", kInputs, random);
    for (int k = 0; k < kVectors; ++k) rows += random_row("inputs", kInputs, random);
  }
  DriveKernel drive;
  const Outcome outcome = drive(rows, {"faithful=true"});
  REQUIRE(outcome.code == 0);
  constexpr double kUnit = 1 << 12;  // 8 + 8 + 4 bits, of which 8 are kept
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  double most = 0, total = 0;
  for (; std::getline(lines, line); total += 1) {
    long cycle = 0, sum = 0, exact = 0;
    double error = 0;
    REQUIRE(std::sscanf(line.c_str(), "%ld,%ld,%ld,%lf", &cycle, &sum, &exact, &error) == 4);
    REQUIRE(std::abs(error - (static_cast<double>(sum) - static_cast<double>(exact) / kUnit)) < 1e-5);
    REQUIRE(std::abs(error) < 1);
    most = std::max(most, std::abs(error));
  }
  CHECK(total == kSets * kVectors);
  CHECK(most > 0.25);
  char printed[32];
  std::snprintf(printed, sizeof printed, "%.6f", most);
  CHECK_THAT(outcome.err, Catch::Contains(printed) && Catch::Contains("8 bits from 2^12"));
}

TEST_CASE("drive lut_kernel refuses what is no kernel with the rule that is broken") {
  DriveKernel drive;
  struct Bad {
    const char* rows;
    std::vector<std::string> settings;
    const char* says;
  };
  const char* const good = "op,v0,v1\ncoefficients,1,2\ninputs,3,4\n";
  const std::vector<Bad> all{
      {"op\ncoefficients\n", {}, ":1:1: a kernel of 0 inputs"},
      {good, {"inputs=0"}, "--set inputs=0"},
      {good, {"inputs=3"}, "inputs 3: the stimulus has 2 columns"},
      {good, {"faithful=true", "guard_bits=1"}, "proved for 2^guard_bits >= inputs x slices, here 2 x 2; 2 are enough"},
      {good, {"guard_bits=4"}, "only 'faithful: true' cuts products"},
      {good, {"input_bits=17"}, "2..16"},
      {good, {"coeficient_bits=8"}, "did you mean 'coefficient_bits'"},
      {"op,v1\n", {}, ":1:4: column 'v1': expected 'v0'"},
      {"op,v0\nload,1\n", {}, ":2:1: op 'load' unknown"},
      {"op,v0\ninput,1\n", {}, "did you mean 'inputs'"},
      {"op,v0\ninputs,1\n", {}, ":2:1: inputs before any coefficients"},
      {"op,v0\ncoefficients,1\n", {}, ":2:1: coefficients without a row of inputs"},
      {"op,v0\ncoefficients,1\ncoefficients,1\ninputs,1\n", {}, ":2:1: coefficients without a row of inputs"},
      {"op,v0\ncoefficients,128\ninputs,1\n", {}, ":2:14: v0: 128 does not fit 8 bits; allowed: -128..127"},
      {"op,v0\ncoefficients,1x\ninputs,1\n", {}, "v0: expected a whole number, found '1x'"},
      {"op,v0\ncoefficients,1,2\ninputs,1\n", {}, ":2:16: 3 cells, but the header has 2"},
      {"op,v0\n", {}, "no inputs under the header"},
      {"", {}, "empty: expected the columns op, v0, v1, ..."}};
  for (const Bad& bad : all) {
    CAPTURE(bad.rows, bad.settings);
    const Outcome outcome = drive(bad.rows, bad.settings);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(bad.says));
  }
  CHECK(drive(good, {"faithful=true", "guard_bits=2"}).code == 0);
}

TEST_CASE("describe lut_kernel prints what a kernel takes and costs") {
  const Outcome outcome = run_program({"describe", "lut_kernel"});
  CHECK(outcome.code == 0);
  // There are N K ceil((Bc + 4) / 2) tables with four address bits, or N K (Bc + 5) with five.
  for (const char* line : {"9       8     4             108", "9       8     5             234",
                           "49      16    4             1,960", "49      16    5             4,116"})
    CHECK_THAT(outcome.out, Catch::Contains(line));
  CHECK_THAT(outcome.out, Catch::Contains("guard_bits") && Catch::Contains("coefficients"));
  CHECK_THAT(run_program({"drive", "lut_kernal", "x.csv"}).err, Catch::Contains("did you mean 'lut_kernel'"));
}

}  // namespace fansim::drive_kernel_test
