// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/csv.h"
#include "base/file.h"
#include "path_bench.h"

namespace fansim::open_data_test {

using namespace benches;

namespace {

struct Measured {
  int port = 0;
  double mb_per_s = 0;
  double latency = 0;
};

// Maps direction, ports and burst to what ran together.
std::map<std::pair<std::string, int>, std::vector<Measured>> open_data() {
  const std::string file = std::string(FANSIM_SOURCE_DIR) + "/tests/benches/memory/zcu102_ports_open.csv";
  std::map<std::pair<std::string, int>, std::vector<Measured>> cases;
  const std::vector<base::CsvRow> rows = base::parse_csv(base::read_file(file), file);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const base::CsvRow& row = rows[r];
    cases[{row[0].text + " " + row[1].text, std::stoi(row[2].text)}].push_back(
        {std::stoi(row[3].text), std::stod(row[4].text), row[5].text.empty() ? 0 : std::stod(row[5].text)});
  }
  return cases;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size()))];
}

struct Errors {
  std::vector<double> throughput, latency;  // per cent, without sign
};

// Uses every `step`-th length of bursts.
std::map<std::string, Errors> errors_of(int step) {
  const PathConfig config = test::board();
  std::map<std::string, Errors> result;
  std::map<std::string, int> lengths;
  for (const auto& [key, measured] : open_data()) {
    if (lengths[key.first]++ % step != 0) continue;
    const bool write = key.first.rfind("write", 0) == 0;
    std::vector<Traffic> traffic;
    for (const Measured& one : measured) traffic.push_back(test::stream(one.port, write, key.second));
    const SteadyState state = find_steady_state(config, traffic);
    Errors& errors = result[key.first];
    for (std::size_t i = 0; i < measured.size(); ++i) {
      errors.throughput.push_back(100 * std::abs(state.rates[i].mb_per_s / measured[i].mb_per_s - 1));
      if (!write) errors.latency.push_back(100 * std::abs(state.rates[i].latency_cycles / measured[i].latency - 1));
    }
  }
  return result;
}

void print(const std::map<std::string, Errors>& all) {
  for (const auto& [name, errors] : all) {
    std::string line = name + ": throughput " + std::to_string(quantile(errors.throughput, 0.5)) + " " +
                       std::to_string(quantile(errors.throughput, 0.9));
    if (!errors.latency.empty())
      line += ", latency " + std::to_string(quantile(errors.latency, 0.5)) + " " +
              std::to_string(quantile(errors.latency, 0.9));
    WARN(line);
  }
}

}  // namespace

namespace {

// Holds the errors of docs/boards.md, rounded up.
struct Bounds {
  double throughput, throughput_90, latency, latency_90;
};
const std::map<std::string, Bounds> kBounds{
    {"read HP0", {0.5, 1.5, 0.5, 1.5}},
    {"read HP0_HP3", {1.0, 1.5, 0.5, 1.5}},
    {"read HP0_HP1_HP2_HP3", {7.5, 15, 7.5, 15}},
    {"write HP0", {0.1, 0.2, 0, 0}},
    {"write HP0_HP3", {0.5, 9, 0, 0}},
    {"write HP0_HP1_HP2_HP3", {9, 17, 0, 0}},
};

}  // namespace

TEST_CASE("the open measurements are met as closely as the documentation says", "[.fit]") {
  const std::map<std::string, Errors> all = errors_of(1);
  print(all);
  REQUIRE(all.size() == kBounds.size());
  for (const auto& [name, errors] : all) {
    INFO(name);
    const Bounds& most = kBounds.at(name);
    CHECK(quantile(errors.throughput, 0.5) <= most.throughput);
    CHECK(quantile(errors.throughput, 0.9) <= most.throughput_90);
    if (errors.latency.empty()) continue;
    CHECK(quantile(errors.latency, 0.5) <= most.latency);
    CHECK(quantile(errors.latency, 0.9) <= most.latency_90);
  }
}

// The choice of the sixth changes the median by half a per cent.
TEST_CASE("the median of a sixth of the open measurements is met within one per cent of that of all") {
  const std::map<std::string, Errors> some = errors_of(6);
  REQUIRE(some.size() == kBounds.size());
  for (const auto& [name, errors] : some) {
    INFO(name);
    CHECK(quantile(errors.throughput, 0.5) <= kBounds.at(name).throughput + 1);
    if (!errors.latency.empty()) CHECK(quantile(errors.latency, 0.5) <= kBounds.at(name).latency + 1);
  }
}

}  // namespace fansim::open_data_test
