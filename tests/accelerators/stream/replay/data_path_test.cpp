// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/replayed_data_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/random.h"

namespace fansim::data_path_test {

using stream::ReplayedDataPath;
using timing::Edge;

namespace {

stream::Config config_of(const std::vector<std::string>& settings = {}) {
  // The page counts with round constants of the memory.
  std::vector<std::string> all{"ddr=../parts/round_numbers_ddr.yaml"};
  all.insert(all.end(), settings.begin(), settings.end());
  return stream::Config::read(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/zcu102_stream.yaml", all);
}

const std::function<void()> kNoTile = [] { FAIL("no tile was sent"); };

stream::Command tile_of(int columns) {
  stream::Command job;
  job.output_columns = columns;
  return job;
}

// Until all tiles have left.
void send_tiles(stream::DataPath& path) {
  while (!path.output().idle()) REQUIRE(path.send_tile());
}

void nothing() {}

std::vector<std::string> random_memory(base::Random& random) {
  const auto set = [](const char* key, int value) { return fmt::format("{}={}", key, value); };
  std::vector<std::string> settings{fmt::format("ddr.fidelity={}", random.chance(50) ? "banked" : "fixed"),
                                    fmt::format("clock_mhz={}", random.chance(50)   ? "250"
                                                                : random.chance(50) ? "1000/3"
                                                                                    : "1600/3"),
                                    set("axi.data_bits", random.chance(50) ? 64 : 128),
                                    set("axi.burst_beats", 1 << random.uniform(2, 7)),
                                    set("axi.outstanding", random.uniform(1, 9)),
                                    set("dma.s2mm_gap", random.chance(50) ? 0 : random.uniform(1, 30))};
  if (settings.front() == "ddr.fidelity=fixed") {
    settings.push_back(set("ddr.read_latency", random.uniform(1, 60)));
    settings.push_back(set("ddr.turnaround", random.chance(50) ? 0 : random.uniform(1, 200)));
    settings.push_back(set("ddr.refresh_interval", random.uniform(100, 3000)));
    settings.push_back(set("ddr.refresh_cycles", random.uniform(0, 99)));
    return settings;
  }
  settings.push_back(set("ddr.request_latency", random.uniform(0, 20)));
  settings.push_back(set("ddr.response_latency", random.uniform(0, 30)));
  settings.push_back(set("ddr.part.trefi", random.uniform(2000, 9000)));
  settings.push_back(set("ddr.part.tccd_l", random.uniform(6, 12)));
  settings.push_back(set("ddr.part.read_queue", random.uniform(1, 40)));
  settings.push_back(fmt::format("ddr.part.mapping={}", random.chance(70) ? "zcu102_rev_1_1" : "zcu102_rev_1_0"));
  return settings;
}

// The machine includes an array.
std::vector<std::string> random_machine(base::Random& random) {
  std::vector<std::string> settings = random_memory(random);
  const int channels = 4 << random.uniform(0, 2);  // 16: words of one beat or two
  settings.push_back(fmt::format("array.input_channels={}", channels));
  settings.push_back(fmt::format("array.output_channels={}", std::max(8, channels)));
  return settings;
}

bool same(const timing::ReadWaits& a, const timing::ReadWaits& b) {
  const auto equal = [](const timing::ReadWaits::Wait& x, const timing::ReadWaits::Wait& y) {
    return x.span.from == y.span.from && x.span.to == y.span.to && x.why == y.why;
  };
  return std::equal(a.all().begin(), a.all().end(), b.all().begin(), b.all().end(), equal);
}

}  // namespace

// docs/timing.md, "DMA and DDR", says: idle, an edge after the last beat, at L + 8 + 40 + 6 + n + 3.
TEST_CASE("a transfer on a quiet bus takes what the page says whatever its length") {
  for (const int beats : {1, 5, 16, 17, 64, 65, 66, 100, 400}) {
    CAPTURE(beats);
    ReplayedDataPath path(config_of());
    CHECK(path.read(100, 0, static_cast<std::uint32_t>(16 * beats), kNoTile) + 1 == 100 + 57 + beats);
  }
}

TEST_CASE("a read behind a refresh waits for it and says so") {
  ReplayedDataPath path(config_of());
  CHECK(path.read(5890, 0, 576, kNoTile) + 1 == 5890 + 108);  // "One 3 x 3 window"
  const auto& waits = path.read_waits().all();
  REQUIRE(waits.size() == 3);
  CHECK(waits[0].why == rules::ReadWait::none);  // its arrival
  CHECK(waits[1].why == rules::ReadWait::refresh);
  CHECK(waits[1].span.to == 5915);
}

TEST_CASE("bytes realigned to the stream need the beat behind them") {
  ReplayedDataPath aligned(config_of()), realigned(config_of());
  CHECK(realigned.read(0, 8, 160, kNoTile) == aligned.read(0, 0, 160, kNoTile) + 1);
}

// docs/timing.md says: tile at t, word at t + 8 to the packer, beat at 10, accepted at 11, burst at 12, its grant at
// 14.
TEST_CASE("a tile of one word leaves as the page says") {
  ReplayedDataPath path(config_of());
  path.tile(tile_of(1), 0, 1000);
  REQUIRE(path.send_tile());
  // The destination is pushed at 1002 and the length at 1004, which acts at 1005: data come from 1013 on. The burst is
  // pushed at 1014, popped at 1015 and granted at 1016; its response is pushed at 1036, popped at 1037, and cleared
  // three edges later.
  CHECK(path.output().fetched() == 1040);
  CHECK(path.output().bytes() == 8);
  CHECK_FALSE(path.send_tile());
}

TEST_CASE("tiles leave one after another and reads meanwhile tell when") {
  ReplayedDataPath alone(config_of());
  alone.tile(tile_of(64), 0, 10);
  alone.tile(tile_of(64), 0, 11);
  REQUIRE(alone.send_tile());
  const Edge first = alone.output().fetched();
  REQUIRE(alone.send_tile());
  CHECK(alone.output().fetched() > first);

  ReplayedDataPath shared(config_of());
  shared.tile(tile_of(64), 0, 10);
  int told = 0;
  const Edge busy = shared.read(5, 4096, 65536, [&] { ++told; });
  CHECK(told == 1);
  CHECK(shared.output().fetched() > first);  // it shared the bus
  CHECK(busy > ReplayedDataPath(config_of()).read(5, 4096, 65536, kNoTile));
}

TEST_CASE("a transfer's first beats go as those of the transfer before wherever each begins") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    base::Random random(seed);
    const stream::Config config =
        config_of({fmt::format("axi.data_bits={}", random.chance(50) ? 64 : 128),
                   fmt::format("axi.burst_beats={}", random.uniform(1, 16)),
                   fmt::format("axi.outstanding={}", random.uniform(1, 4)),
                   fmt::format("dma.s2mm_start={}", random.uniform(1, 20)),
                   fmt::format("array.input_channels={}", random.chance(50) ? 4 : 8), "array.output_channels=8"});
    ReplayedDataPath fresh(config), used(config);
    stream::Command tile = tile_of(random.uniform(1, 40));
    for (int i = 0; i < 3; ++i) {
      tile.output_base = static_cast<std::uint32_t>(8 * random.uniform(0, 1000));
      used.tile(tile, tile.output_base, 1000 * i);
      REQUIRE(used.send_tile());
      tile.output_columns = random.uniform(1, 40);
    }
    fresh.tile(tile, tile.output_base, 5000);
    used.tile(tile, tile.output_base, 5000);
    REQUIRE(fresh.send_tile());
    REQUIRE(used.send_tile());
    CAPTURE(seed);
    REQUIRE(used.output().fetched() == fresh.output().fetched());
  }
}

// A slot is free again L + 3 edges before the burst that it is for is decided on, a beat's room L + mm2s_stream + 3
// edges: with 4 bursts of 16 beats in flight, 65 beats of room and mm2s_stream 6, L may be 40. A shorter burst among
// those between takes its part of that; as many bursts as may be in flight need no slot twice.
TEST_CASE("a transfer is a train as long as memory answers in time") {
  struct Case {
    std::uint32_t address, beats;
    int longest;
  };
  for (const auto& [address, beats, longest] :
       {Case{0, 1000, 40}, Case{4096 - 16 * 10, 1000, 39}, Case{8, 1000, 39}, Case{0, 64, 10000}, Case{0, 80, 40}})
    for (const int latency : {longest, longest + 1}) {
      CAPTURE(address, beats, latency);
      if (latency > 10000) continue;
      const stream::Config config = config_of({fmt::format("ddr.read_latency={}", latency)});
      timing::trains::FixedTrains memory(config.ddr, config.axi.beat_bytes());
      stream::ReplayedInputs inputs(config.dma, config.axi, memory, &memory);
      inputs.start(100, address, 16 * beats);
      CHECK(inputs.ask_all() == (latency == longest));
    }
}

TEST_CASE("bursts taken in one go come when each of them would come by itself") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    base::Random random(seed);
    const std::vector<std::string> settings = random_memory(random);
    CAPTURE(seed, settings);
    const stream::Config config = config_of(settings);
    ReplayedDataPath path(config), without_waits(config, false);
    stream::DataPath every(config);
    Edge now = random.uniform(0, 3000);
    for (int i = 0; i < 6; ++i) {
      if (random.chance(40)) {
        const stream::Command tile = tile_of(random.uniform(1, 250));
        const Edge edge = now + random.uniform(0, 2000);
        path.tile(tile, tile.output_base, edge);
        without_waits.tile(tile, tile.output_base, edge);
        every.tile(tile, tile.output_base, edge);
      }
      const auto address = static_cast<std::uint32_t>(8 * random.uniform(0, 10'000));
      const auto bytes = static_cast<std::uint32_t>(8 * random.uniform(1, random.chance(20) ? 20'000 : 2'000));
      const Edge finished = path.read(now, address, bytes, [] {});
      const Edge each = every.read(now, address, bytes, nothing);
      if (finished != each) REQUIRE(finished == each);
      REQUIRE(without_waits.read(now, address, bytes, [] {}) == each);
      now = finished + random.uniform(2, random.chance(20) ? 3000 : 60);
    }
    REQUIRE(same(path.read_waits(), every.read_waits()));
  }
}

// A tile's transfers are alike but for where they begin; reads and refreshes come in between.
TEST_CASE("transfers of tiles that are replayed come when each burst would come by itself") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    base::Random random(seed);
    std::vector<std::string> settings = random_machine(random);
    if (random.chance(30)) settings.push_back(fmt::format("dma.s2mm_gap={}", random.uniform(30, 300)));
    CAPTURE(seed, settings);
    const stream::Config config = config_of(settings);
    ReplayedDataPath path(config), without_waits(config, false);
    stream::DataPath every(config);
    stream::Command tile = tile_of(random.uniform(1, 60));
    tile.row_pitch = 8 * random.uniform(60, 70);
    tile.plane_pitch = 8 * random.uniform(500, 5000);
    Edge now = random.uniform(0, 3000);
    for (int i = 0; i < 4; ++i) {
      tile.tile_rows = random.uniform(1, 8);
      tile.groups = random.uniform(1, 3);
      tile.output_base = static_cast<std::uint32_t>(8 * random.uniform(0, 10'000));
      const Edge edge = now + random.uniform(0, 2000);
      path.tile(tile, tile.output_base, edge);
      without_waits.tile(tile, tile.output_base, edge);
      every.tile(tile, tile.output_base, edge);
      Edge last = edge;
      if (random.chance(60)) {
        const auto address = static_cast<std::uint32_t>(8 * random.uniform(0, 10'000));
        const auto bytes = static_cast<std::uint32_t>(8 * random.uniform(1, 2'000));
        const Edge written = now + random.uniform(0, random.chance(50) ? 100 : 5000);
        const Edge finished = path.read(written, address, bytes, [] {});
        REQUIRE(finished == every.read(written, address, bytes, nothing));
        REQUIRE(finished == without_waits.read(written, address, bytes, [] {}));
        last = std::max(last, finished);
      }
      while (!path.output().idle()) path.send_tile();
      while (!without_waits.output().idle()) without_waits.send_tile();
      send_tiles(every);
      REQUIRE(path.output().fetched() == every.output().fetched());
      REQUIRE(path.output().gap_until() == every.output().gap_until());
      REQUIRE(without_waits.output().fetched() == every.output().fetched());
      now = std::max(last, path.output().fetched()) + random.uniform(2, 60);
    }
    REQUIRE(same(path.read_waits(), every.read_waits()));
  }
}

// Long reads, each of which meets many transfers of tiles.
TEST_CASE("transfers that meet a running read come when each burst would come by itself") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    base::Random random(seed, "meeting");
    std::vector<std::string> settings = random_machine(random);
    if (settings.front() == "ddr.fidelity=fixed" && random.chance(10)) {
      settings.push_back(fmt::format("ddr.refresh_interval={}", random.uniform(3000, 5000)));
      settings.push_back(fmt::format("ddr.refresh_cycles={}", random.uniform(1000, 2500)));
    }
    CAPTURE(seed, settings);
    const stream::Config config = config_of(settings);
    ReplayedDataPath path(config, false);
    stream::DataPath every(config);
    stream::Command tile = tile_of(random.uniform(1, 100));
    tile.row_pitch = 8 * random.uniform(100, 120);
    tile.plane_pitch = 8 * random.uniform(500, 5000);
    Edge now = random.uniform(0, 3000);
    for (int i = 0; i < 3; ++i) {
      tile.tile_rows = random.uniform(10, 60);
      tile.groups = random.uniform(1, 3);
      tile.output_base = static_cast<std::uint32_t>(8 * random.uniform(0, 10'000));
      const Edge edge = now + random.uniform(0, 500);
      path.tile(tile, tile.output_base, edge);
      every.tile(tile, tile.output_base, edge);
      for (int reads = random.uniform(1, 8); reads > 0; --reads) {
        const auto address = static_cast<std::uint32_t>(8 * random.uniform(0, 10'000));
        const auto bytes = static_cast<std::uint32_t>(8 * random.uniform(1, random.chance(50) ? 1000 : 20'000));
        const Edge finished = path.read(now, address, bytes, [] {});
        REQUIRE(finished == every.read(now, address, bytes, nothing));
        now = finished + random.uniform(2, random.chance(20) ? 3000 : 60);
      }
      while (!path.output().idle()) path.send_tile();
      send_tiles(every);
      REQUIRE(path.output().fetched() == every.output().fetched());
      REQUIRE(path.output().gap_until() == every.output().gap_until());
      now = std::max(now, path.output().fetched()) + random.uniform(2, 60);
    }
  }
}

TEST_CASE("reads at rest that are repeated come when each would come by itself as do those behind them") {
  std::int64_t repeated = 0, met = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    base::Random random(seed, "repeated");
    const std::vector<std::string> settings = random_memory(random);
    CAPTURE(seed, settings);
    const stream::Config config = config_of(settings);
    ReplayedDataPath path(config, false), each(config, false);
    const auto read = [&](Edge written, std::uint32_t address, std::uint32_t bytes) {
      const Edge last = path.read(written, address, bytes, [] {});
      REQUIRE(last == each.read(written, address, bytes, [] {}));
      return last;
    };
    const auto address = [&] { return static_cast<std::uint32_t>(8 * random.uniform(0, 10'000)); };
    const auto bytes = [&](int most) { return static_cast<std::uint32_t>(8 * random.uniform(1, most)); };
    Edge now = 0;
    for (int turn = 0; turn < 3; ++turn) {
      if (random.chance(50)) now = read(now, address(), bytes(2000));
      if (random.chance(50)) {
        const stream::Command tile = tile_of(random.uniform(1, 60));
        for (ReplayedDataPath* to : {&path, &each}) {
          to->tile(tile, 0, now + 5);
          REQUIRE(to->send_tile());
        }
        now = path.output().fetched();
      }
      now += random.uniform(0, random.chance(50) ? 20 : 2000);
      if (!path.quiet()) continue;
      struct Read {
        Edge written, last;
        std::uint32_t address, bytes;
      };
      std::vector<Read> reads;
      std::vector<timing::Span> buses;
      for (int i = random.uniform(1, 3); i > 0; --i) {
        const std::uint32_t from = address(), size = bytes(300);
        buses.push_back(path.alone(now, from, size));
        reads.push_back({now, path.streamed(buses.back(), from, size), from, size});
        now = reads.back().last + random.uniform(2, 300);
      }
      const Edge period = now - reads.front().written + random.uniform(0, 100);
      const std::int64_t most = random.uniform(1, 12), times = path.repeat(buses, period, most);
      REQUIRE(times <= most);
      repeated += times;
      met += times < most;
      for (std::int64_t k = 0; k < times; ++k)
        for (const Read& r : reads) {
          const auto address_then = r.address + static_cast<std::uint32_t>(k * config.axi.beat_bytes());
          const Edge last = each.read(r.written + k * period, address_then, r.bytes, [] {});
          if (last != r.last + k * period) REQUIRE(last == r.last + k * period);
        }
      now = reads.front().written + times * period;
    }
    read(now, address(), bytes(2000));
  }
  CHECK(repeated > 2000);
  CHECK(met > 300);
}

}  // namespace fansim::data_path_test
