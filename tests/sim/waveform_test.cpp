// SPDX-License-Identifier: Apache-2.0
#include "sim/waveform.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <sstream>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "support/stream_bench.h"

namespace fansim::waveform_test {

namespace {

struct Item {
  int number = 0;
  template <class F>
  void wires(F&& f) const {
    f("number", static_cast<std::uint64_t>(number), 16);
  }
};

using Values = std::map<std::string, std::string>;

// Returns the values of all variables at each time in the file, by their names without scopes.
std::map<std::int64_t, Values> values_of(const std::string& vcd) {
  std::map<std::string, std::string> names;
  std::map<std::int64_t, Values> all;
  Values now;
  std::istringstream lines(vcd);
  std::int64_t time = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, type, bits, id, name;
    words >> kind >> type >> bits >> id >> name;
    if (kind == "$var") names[id] = name;
    if (kind[0] == '#') time = std::stoll(kind.substr(1));
    if (kind[0] == '$' || kind[0] == '#') continue;
    const bool bit = type.empty();
    now[names.at(bit ? kind.substr(1) : type)] = bit ? kind.substr(0, 1) : kind.substr(1);
    all[time] = now;
  }
  return all;
}

std::string binary(int value) {
  std::string digits;
  for (int left = value; left > 0; left /= 2) digits.insert(0, left % 2 == 1 ? "1" : "0");
  return digits.empty() ? "0" : digits;
}

}  // namespace

TEST_CASE("a recorded stream shows at every edge what moved and what waits and falls silent when it is cleared") {
  constexpr sim::Edge kEdges = 600, kCleared = 500;
  const base::TemporaryFolder folder;
  const std::string file = folder.path() + "/w.vcd";
  test::Bench bench;
  std::vector<Item> items;
  for (int i = 0; i < 120; ++i) items.push_back({i});
  sim::Stream<Item> stream("stream");
  test::Source<Item> source("source", items, 60, 1);
  test::Sink<Item> sink("sink", 55, 2);
  source.not_before.assign(items.size(), 0);
  source.not_before.back() = kCleared - 50;
  source.out(stream);
  sink.in(stream);

  std::map<std::string, Values> expected;  // by edge
  std::int64_t pops = 0;
  int number = 0;
  bench.scheduler.each_edge = [&](sim::Edge edge) {
    if (edge == kCleared - 60) sink.not_before = kEdges;  // the last one stays in
    const bool fire = sink.count() > static_cast<std::size_t>(pops), valid = stream.occupancy() > 0;
    pops = static_cast<std::int64_t>(sink.count());
    if (fire) number = static_cast<int>(pops) - 1;
    if (!fire && valid) number = stream.front().number;
    expected[binary(static_cast<int>(edge))] = {{"valid", valid ? "1" : "0"},
                                                {"ready", stream.occupancy() < 2 ? "1" : "0"},
                                                {"fire", fire ? "1" : "0"},
                                                {"number", binary(number)}};
  };
  bench.scheduler.at(kCleared, [&] { bench.scheduler.reset({}); });
  bench.scheduler.record(std::make_unique<sim::Waveform>(file, sim::WaveformWindow{1, kEdges, "stream"}));
  bench.run(kEdges + 10);

  REQUIRE(stream.pushes() == 120);
  CHECK(expected.at(binary(kCleared - 1)).at("valid") == "1");
  CHECK(expected.at(binary(kCleared)).at("valid") == "0");
  int edges = 0;
  for (const auto& [time, values] : values_of(base::read_file(file))) {
    if (values.at("clock_clk") == "0") continue;
    CAPTURE(time);
    ++edges;
    Values shown;
    for (const char* name : {"valid", "ready", "fire", "number"}) shown[name] = values.at(name);
    CHECK(shown == expected.at(values.at("edge")));
  }
  CHECK(edges == kEdges - 1);
}

namespace {

// Returns at what times the first edges of a bench's clocks rise in a file that is recorded from the begin on.
std::map<std::string, std::vector<std::int64_t>> first_rises(const std::vector<base::Rational>& mhz,
                                                             const std::string& file) {
  test::Bench bench(mhz.front());
  for (std::size_t i = 1; i < mhz.size(); ++i) bench.scheduler.domain("clock" + std::to_string(i), mhz[i]);
  sim::Stream<int> shown("shown");
  bench.scheduler.record(std::make_unique<sim::Waveform>(file, sim::WaveformWindow{1, 6, "*"}));
  bench.run(10);
  std::map<std::string, std::vector<std::int64_t>> rises;
  Values last;
  for (const auto& [time, values] : values_of(base::read_file(file))) {
    for (const auto& [name, value] : values)
      if (name.find("_clk") != std::string::npos && value == "1" && last[name] != "1") rises[name].push_back(time);
    last = values;
  }
  for (auto& [name, times] : rises) times.resize(std::min<std::size_t>(times.size(), 5));
  return rises;
}

}  // namespace

TEST_CASE("one clock's first edge is a period after time zero") {
  const base::TemporaryFolder folder;
  const auto rises = first_rises({{250, 1}}, folder.path() + "/w.vcd");
  CHECK(rises.at("clock_clk") == std::vector<std::int64_t>{4'000, 8'000, 12'000, 16'000, 20'000});
}

TEST_CASE("a period that is no whole number of picoseconds does not drift") {
  const base::TemporaryFolder folder;
  const auto rises = first_rises({{300, 1}}, folder.path() + "/w.vcd");
  CHECK(rises.at("clock_clk") == std::vector<std::int64_t>{3'333, 6'666, 10'000, 13'333, 16'666});
}

TEST_CASE("edges of several clocks are at their own times from the first edge of the first clock on") {
  const base::TemporaryFolder folder;
  const auto rises = first_rises({{250, 1}, {100, 1}, {500, 1}}, folder.path() + "/w.vcd");
  CHECK(rises.at("clock_clk") == std::vector<std::int64_t>{4'000, 8'000, 12'000, 16'000, 20'000});
  CHECK(rises.at("clock1_clk") == std::vector<std::int64_t>{10'000, 20'000});
  CHECK(rises.at("clock2_clk") == std::vector<std::int64_t>{4'000, 6'000, 8'000, 10'000, 12'000});
}

TEST_CASE("clocks rise at their own edges and fall between from the first recorded instant on") {
  const base::TemporaryFolder folder;
  const std::string file = folder.path() + "/w.vcd";
  test::Bench bench({200, 1});                                        // 5,000 ps
  sim::ClockDomain& slow = bench.scheduler.domain("slow", {250, 3});  // 12,000 ps
  sim::Stream<int> stream("stream");
  test::Source<int> source("source", {1, 2, 3});
  test::Sink<int> sink("sink");
  source.clock(slow);
  sink.clock(slow);
  source.out(stream);
  sink.in(stream);
  bench.scheduler.record(std::make_unique<sim::Waveform>(file, sim::WaveformWindow{4, 14, "*"}));
  bench.run(30);
  std::vector<std::int64_t> clock, rises;
  std::string fast = "0", last = "0";
  for (const auto& [time, values] : values_of(base::read_file(file))) {
    if (values.at("clock_clk") == "1" && fast == "0") clock.push_back(time);
    if (values.at("slow_clk") == "1" && last == "0") rises.push_back(time);
    fast = values.at("clock_clk");
    last = values.at("slow_clk");
  }
  CHECK(clock ==
        std::vector<std::int64_t>{20'000, 25'000, 30'000, 35'000, 40'000, 45'000, 50'000, 55'000, 60'000, 65'000});
  CHECK(rises == std::vector<std::int64_t>{24'000, 36'000, 48'000, 60'000});
}

}  // namespace fansim::waveform_test
