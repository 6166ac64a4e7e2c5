// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/load_latency.h"

#include <catch2/catch.hpp>

namespace fansim::load_latency_test {

namespace {

tiled::Config with(base::Rational clock, base::Rational port, int read_latency) {
  tiled::Config config;
  config.clock_mhz = clock;
  config.port_mhz = port;
  config.ddr.read_latency = read_latency;
  return config;
}

}  // namespace

// docs/timing.md counts loads of such a machine: asked for at 2534 and 2583, first beats decoded at 2578 and 2627.
TEST_CASE("a load by itself takes what was counted by hand", "[tiled]") {
  CHECK(tiled::least_load_latency(with({200, 1}, {1000, 3}, 53)) == 43);
}

// Asked for at 0: reader 1, crossing popped 2 and pushed 4, DDR 8, granted 9, data 10; converter pushes 13, crossing
// popped 14 and pushed 16, reader 17, decoder 18: all but its own edge.
TEST_CASE("a load by itself on one clock", "[tiled]") {
  const auto at = [](int latency) { return tiled::least_load_latency(with({200, 1}, {200, 1}, latency)); };
  CHECK(at(1) == 17);
  CHECK(at(41) == at(1) + 40);
}

TEST_CASE("a load's latency is the least over all alignments of the clocks", "[tiled]") {
  const auto latency = tiled::least_load_latency(with({200, 1}, {201, 1}, 20));
  CHECK(latency <= tiled::least_load_latency(with({200, 1}, {200, 1}, 20)));
  CHECK(latency >= tiled::least_load_latency(with({200, 1}, {202, 1}, 20)));
}

TEST_CASE("a banked memory's load is counted as if it answered at once", "[tiled]") {
  tiled::Config config = with({200, 1}, {200, 1}, 30);
  config.ddr.fidelity = contract::DdrFidelity::banked;
  CHECK(tiled::least_load_latency(config) == tiled::least_load_latency(with({200, 1}, {200, 1}, 1)) - 1);
}

}  // namespace fansim::load_latency_test
