// SPDX-License-Identifier: Apache-2.0
// These tests show that the systems' constants for the path match it: docs/memory.md, "The ZCU102's constants".
#include <catch2/catch.hpp>

#include <cmath>

#include "base/fields.h"
#include "base/yaml.h"
#include "contract/ddr.h"
#include "path_bench.h"

namespace fansim::constants_test {

using namespace benches;

namespace {

constexpr int kBeats = 16;  // what the port cuts bursts into

contract::DdrConfig constants(const std::string& part, const std::string& mhz) {
  const std::string file = FANSIM_SOURCE_DIR "/configs/parts/" + part + ".yaml";
  base::YamlMap map(base::load_yaml(file));
  contract::DdrConfig config;
  base::read_fields(map, config);
  for (const char* other : {"part", "ranges"}) map.find(other);
  map.finish();
  CHECK(base::follow_clock(config, *base::parse_rational(mhz)).empty());
  return config;
}

Rate alone(const std::string& mhz, bool write, int outstanding, bool refreshes) {
  std::vector<std::string> settings{"clock_mhz=" + mhz, "generator.outstanding=" + std::to_string(outstanding)};
  if (!refreshes) settings.push_back("memory.trfc=0");
  const PathConfig path = test::board(settings);
  return find_steady_state(path, {test::stream(0, write, kBeats * path.beat_bytes())}).rates.front();
}

}  // namespace

TEST_CASE("the systems' constants are those of the path that they stand for") {
  struct Clock {
    const char *part, *mhz;
    int in_flight;  // in the systems with this clock
  };
  for (const Clock& clock : {Clock{"zcu102_ps_ddr4", "250", 4}, Clock{"zcu102_ps_ddr4_deep", "1000/3", 16},
                             Clock{"zcu102_ps_ddr4", "100", 4}}) {
    CAPTURE(clock.mhz);
    const contract::DdrConfig of = constants(clock.part, clock.mhz);
    // A burst is popped an edge after the request and granted one edge later; the last beat is popped an edge after it
    // was pushed.
    CHECK(of.read_latency == std::lround(alone(clock.mhz, false, 1, false).latency_cycles - kBeats - 2));
    CHECK(of.write_latency == std::lround(alone(clock.mhz, true, 1, true).latency_cycles - kBeats - 2));
    const double with = alone(clock.mhz, false, clock.in_flight, true).mb_per_s,
                 without = alone(clock.mhz, false, clock.in_flight, false).mb_per_s;
    CHECK(of.refresh_cycles == std::lround(of.refresh_interval * (1 - with / without)));
  }
}

}  // namespace fansim::constants_test
