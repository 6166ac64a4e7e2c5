// SPDX-License-Identifier: Apache-2.0
#include "benches/bandwidth_bench.h"

#include <catch2/catch.hpp>

namespace fansim::bandwidth_bench_test {

namespace {

benches::BurstReaderConfig reader(int data_bits, int burst_beats, int gap = 0, int outstanding = 16,
                                  int tile_bytes = 0) {
  benches::BurstReaderConfig config;
  config.data_bits = data_bits;
  config.burst_beats = burst_beats;
  config.gap = gap;
  config.outstanding = outstanding;
  config.tile_bytes = tile_bytes;
  return config;
}

benches::BandwidthConfig config() {
  benches::BandwidthConfig c;
  c.port.burst_beats = 256;
  c.port.outstanding = 16;
  c.ddr.read_latency = 53;
  c.ddr.refresh_interval = 2600;
  c.ddr.refresh_cycles = 87;
  return c;
}

}  // namespace

TEST_CASE("a wide reader gets the port less its refreshes and a narrow one its own rate") {
  benches::BandwidthBench bench(config(), {reader(256, 256), reader(512, 64), reader(32, 16), reader(32, 16, 1)});
  const auto rates = bench.measure();
  // A window of 20 refresh intervals moves whole beats, so its edges count for a beat or two of 50,000.
  const double port = 16 * 1e9 / 3 * (2600 - 87) / 2600;
  CHECK(rates[0] == Approx(port).epsilon(1e-4));
  CHECK(rates[1] == Approx(port).epsilon(1e-4));
  CHECK(rates[2] == Approx(4 * 200e6).epsilon(1e-3));
  CHECK(rates[3] == Approx(4 * 200e6 * 16 / 17).epsilon(1e-3));
}

TEST_CASE("with one burst in flight every burst costs the way there and back") {
  benches::BandwidthConfig no_refresh = config();
  no_refresh.ddr.refresh_cycles = 0;
  benches::BandwidthBench bench(no_refresh, {reader(128, 16, 0, 1), reader(128, 16, 0, 1, 4096)});
  const auto rates = bench.measure();
  // This is the time from AR until the last beat is taken, in fabric cycles: 16 beats at 200 MHz, and the same way for
  // each burst.
  const double cycles = 16 * 16 / (rates[0] / 200e6);
  const double way = cycles - 16;
  // A burst is granted by the port 1 edge after it is popped; 53 pass until the data, and 5 in streams and converter;
  // two crossings take 2 and 1 edges each.
  CHECK(way > (53 + 1 + 5) * 0.6 + 2 * 2);
  CHECK(way < (53 + 1 + 5) * 0.6 + 2 * 5);
  // A tile costs nothing more when a burst at a time is in flight anyway.
  CHECK(rates[1] == Approx(rates[0]).epsilon(0.02));
}

TEST_CASE("longer bursts and wider readers never get less") {
  std::vector<benches::BurstReaderConfig> readers;
  for (int bits : {8, 32, 128, 512})
    for (int beats : {1, 4, 16, 64, 256}) readers.push_back(reader(bits, beats, 1));
  benches::BandwidthBench bench(config(), readers);
  const auto rates = bench.measure();
  for (std::size_t width = 0; width < 4; ++width)
    for (std::size_t burst = 0; burst < 5; ++burst) {
      if (burst > 0) CHECK(rates[width * 5 + burst] > 0.999 * rates[width * 5 + burst - 1]);
      if (width > 0) CHECK(rates[width * 5 + burst] > 0.999 * rates[(width - 1) * 5 + burst]);
    }
}

}  // namespace fansim::bandwidth_bench_test
