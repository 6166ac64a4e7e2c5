// SPDX-License-Identifier: Apache-2.0
#include "timing/data_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/random.h"

using namespace fansim;
using timing::Edge;

namespace {

arch::StreamConfig config_of(const std::vector<std::string>& settings = {}) {
  return arch::load_stream_config(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/zcu102_stream.yaml", settings);
}

const std::function<void()> kNoTile = [] { FAIL("no tile was sent"); };

arch::Command tile_of(int columns) {
  arch::Command job;
  job.output_columns = columns;
  return job;
}

// The data path without its short cut: every burst is decided.
class EveryBurst {
 public:
  explicit EveryBurst(const arch::StreamConfig& config)
      : memory_(timing::make_memory(config)), mm2s_(config.dma, config.axi), output_(config) {}

  void tile(const arch::Command& job, Edge edge) { output_.tile(job, edge); }
  Edge read(Edge written, std::uint32_t address, std::uint32_t bytes) {
    mm2s_.start(written, address, bytes);
    while (mm2s_.active()) decide();
    return mm2s_.finished();
  }
  const timing::ReadWaits& read_waits() const { return memory_->read_waits(); }

 private:
  void decide() {
    timing::Burst burst;
    while (mm2s_.next(burst)) memory_->read(burst);
    while (output_.next(burst)) memory_->write(burst);
    timing::MemoryEvent event;
    if (!memory_->next(event)) FAIL("nothing left to decide");
    if (event.kind == timing::MemoryEvent::Kind::read_data) mm2s_.data(event.edge, event.beats);
    if (event.kind == timing::MemoryEvent::Kind::write_data) memory_->written(output_.send(event.edge));
    if (event.kind == timing::MemoryEvent::Kind::response) output_.answer(event.edge);
  }

  std::unique_ptr<timing::Memory> memory_;
  timing::Mm2s mm2s_;
  timing::OutputPath output_;
};

std::vector<std::string> random_memory(base::Random& random) {
  const auto set = [](const char* key, int value) { return fmt::format("{}={}", key, value); };
  std::vector<std::string> settings{fmt::format("ddr.fidelity={}", random.chance(75) ? "banked" : "fixed"),
                                    fmt::format("clock_mhz={}", random.chance(50)   ? "250"
                                                                : random.chance(50) ? "1000/3"
                                                                                    : "1600/3"),
                                    set("axi.data_bits", random.chance(50) ? 64 : 128),
                                    set("axi.burst_beats", 1 << random.uniform(2, 7)),
                                    set("axi.outstanding", random.uniform(1, 9)),
                                    set("dma.s2mm_gap", random.chance(50) ? 0 : random.uniform(1, 30))};
  if (settings.front() == "ddr.fidelity=fixed") return settings;
  settings.push_back(set("ddr.request_latency", random.uniform(0, 20)));
  settings.push_back(set("ddr.response_latency", random.uniform(0, 30)));
  settings.push_back(set("ddr.part.trefi", random.uniform(2000, 9000)));
  settings.push_back(set("ddr.part.tccd_l", random.uniform(6, 12)));
  settings.push_back(set("ddr.part.read_queue", random.uniform(1, 40)));
  settings.push_back(fmt::format("ddr.part.mapping={}", random.chance(70) ? "zcu102_rev_1_1" : "zcu102_rev_1_0"));
  return settings;
}

bool same(const timing::ReadWaits& a, const timing::ReadWaits& b) {
  const auto equal = [](const timing::ReadWaits::Wait& x, const timing::ReadWaits::Wait& y) {
    return x.span.from == y.span.from && x.span.to == y.span.to && x.why == y.why;
  };
  return std::equal(a.all().begin(), a.all().end(), b.all().begin(), b.all().end(), equal);
}

}  // namespace

// docs/timing.md, "DMA and DDR": idle, an edge after the last beat, at L + 8 + 40 + 6 + n + 3.
TEST_CASE("a transfer on a quiet bus takes what the page says, whatever its length") {
  for (const int beats : {1, 5, 16, 17, 64, 65, 66, 100, 400}) {
    CAPTURE(beats);
    timing::DataPath path(config_of());
    CHECK(path.read(100, 0, static_cast<std::uint32_t>(16 * beats), kNoTile) + 1 == 100 + 57 + beats);
  }
}

TEST_CASE("a read behind a refresh waits for it, and says so") {
  timing::DataPath path(config_of());
  CHECK(path.read(5890, 0, 576, kNoTile) + 1 == 5890 + 108);  // "One 3 x 3 window"
  const auto& waits = path.read_waits().all();
  REQUIRE(waits.size() == 3);
  CHECK(waits[0].why == rules::ReadWait::none);  // its arrival
  CHECK(waits[1].why == rules::ReadWait::refresh);
  CHECK(waits[1].span.to == 5915);
}

TEST_CASE("bytes realigned to the stream need the beat behind them") {
  timing::DataPath aligned(config_of()), realigned(config_of());
  CHECK(realigned.read(0, 8, 160, kNoTile) == aligned.read(0, 0, 160, kNoTile) + 1);
}

// docs/timing.md: tile at t, word at t + 8 to the packer, beat at 10, accepted at 11, burst at 12, its grant at 14.
TEST_CASE("a tile of one word leaves as the page says") {
  timing::DataPath path(config_of());
  path.tile(tile_of(1), 1000);
  REQUIRE(path.send_tile());
  // Destination pushed at 1002, length at 1004, acts at 1005: data from 1013 on. Burst 1014, popped 1015, granted 1016;
  // response 1036, popped 1037, cleared three edges later.
  CHECK(path.output().fetched() == 1040);
  CHECK(path.output().bytes() == 8);
  CHECK_FALSE(path.send_tile());
}

TEST_CASE("tiles leave one after another, and reads meanwhile tell when") {
  timing::DataPath alone(config_of());
  alone.tile(tile_of(64), 10);
  alone.tile(tile_of(64), 11);
  REQUIRE(alone.send_tile());
  const Edge first = alone.output().fetched();
  REQUIRE(alone.send_tile());
  CHECK(alone.output().fetched() > first);

  timing::DataPath shared(config_of());
  shared.tile(tile_of(64), 10);
  int told = 0;
  const Edge busy = shared.read(5, 4096, 65536, [&] { ++told; });
  CHECK(told == 1);
  CHECK(shared.output().fetched() > first);  // it shared the bus
  CHECK(busy > timing::DataPath(config_of()).read(5, 4096, 65536, kNoTile));
}

TEST_CASE("bursts taken in one go come when each of them would come by itself") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    base::Random random(seed);
    const std::vector<std::string> settings = random_memory(random);
    CAPTURE(seed, settings);
    const arch::StreamConfig config = config_of(settings);
    timing::DataPath path(config);
    EveryBurst every(config);
    Edge now = random.uniform(0, 3000);
    for (int i = 0; i < 6; ++i) {
      if (random.chance(40)) {
        const arch::Command tile = tile_of(random.uniform(1, 250));
        const Edge edge = now + random.uniform(0, 2000);
        path.tile(tile, edge);
        every.tile(tile, edge);
      }
      const auto address = static_cast<std::uint32_t>(8 * random.uniform(0, 10'000));
      const auto bytes = static_cast<std::uint32_t>(8 * random.uniform(1, random.chance(20) ? 20'000 : 2'000));
      const Edge finished = path.read(now, address, bytes, [] {});
      const Edge each = every.read(now, address, bytes);
      if (finished != each) REQUIRE(finished == each);
      now = finished + random.uniform(2, random.chance(20) ? 3000 : 60);
    }
    REQUIRE(same(path.read_waits(), every.read_waits()));
  }
}
