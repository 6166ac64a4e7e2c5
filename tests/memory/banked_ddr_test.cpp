// SPDX-License-Identifier: Apache-2.0
#include "memory/banked_ddr.h"

#include <catch2/catch.hpp>

#include "base/overrides.h"
#include "memory/ddr_rig.h"

namespace fansim::banked_ddr_test {

using test::Edges;
using test::random_bytes;
using test::run_of;
using test::operator+;
using Rig = test::DdrRig;
using W = rules::ReadWait;

namespace {

// request_latency 14, response_latency 15, write_latency 20; the memory's 3200/3 MHz are 64/15 of the port's 250.
contract::DdrConfig config(const std::vector<std::string>& part_overrides = {}) {
  contract::DdrConfig c;
  c.fidelity = contract::DdrFidelity::banked;
  c.write_latency = 20;
  base::YamlNode document = base::load_yaml(FANSIM_SOURCE_DIR "/configs/parts/ddr4_2133_x8_4gb.yaml");
  base::apply_overrides(document, part_overrides);
  base::YamlMap map(document);
  c.part = contract::read_ddr_part(map);
  return c;
}

constexpr std::uint32_t kNextRow = 1 << 17;

}  // namespace

TEST_CASE("a read burst's beats leave when their column accesses are back as counted by hand") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  // Popped at 2, at the controller at edge floor(16 * 64/15) + 1 = 69 of the memory: picked and activated at 70, READ
  // 85, data 100 to 104, which is 24.4 of the port: seen at 25, pushed at 40. The accesses after it: the other group's
  // row is opened at 74, READ 89; READs 93 and 97. So ends 108, 112, 116, seen at 26, 27, 28: no gap.
  rig.reads.add({0, 16});
  // All rows are open: popped at 101, at the controller at 491, READ 492, end 511, seen at 120, pushed at 135.
  rig.reads.add({256, 4}, 100);
  REQUIRE(bench.run_until([&] { return rig.read_beats.count() == 20; }, 1000));
  CHECK(rig.read_beats.edges() == run_of(41, 16) + run_of(136, 4));
  CHECK(test::counter(rig.ddr, "row_misses") == 2);
  CHECK(test::counter(rig.ddr, "row_hits") == 3);
}

TEST_CASE("bursts pass to a memory that others share behind them") {
  test::Bench bench;
  contract::DdrConfig shared = config();
  shared.share = 0.5;
  Rig rig("rig", shared, {}, random_bytes(4096, 1)), writer("writer", shared, {}, random_bytes(4096, 1));
  // Popped at 2, passes at 2 + 16 = 18: as a burst that is popped then. At the controller at edge floor(32 * 64/15) + 1
  // = 137: activate 138, READ 153, data 168 to 172, seen at 41, pushed at 56.
  rig.reads.add({0, 16});
  // Popped at 3, passes at 34 + 4 = 38, at the controller at floor(52 * 64/15) + 1 = 222: READ 223, end 242, seen at
  // 57, pushed at 72, right behind the first.
  rig.reads.add({256, 4});
  base::Random random(1);
  writer.write(512, 4, 1, random);
  REQUIRE(bench.run_until([&] { return rig.read_beats.count() == 20 && writer.responses.count() == 1; }, 1000));
  CHECK(rig.read_beats.edges() == run_of(57, 20));
  // AW popped at 2, passes at 3 + 4 = 7: beats popped from then on.
  CHECK(writer.write_beats.edges() == Edges{1, 2, 8, 9});
}

TEST_CASE("a write is answered once the controller holds its last access or once it is in the DRAM") {
  test::Bench bench;
  Rig posted("posted", config(), {}, random_bytes(4096, 1));
  Rig waited("waited", config({"posted_writes=false"}), {}, random_bytes(4096, 1));
  base::Random random(1);
  for (Rig* rig : {&posted, &waited}) rig->write(0, 4, 1, random);
  REQUIRE(bench.run_until([&] { return waited.responses.count() == 1; }, 1000));
  // AW popped at 2, beats at 3 to 6, at the controller at floor(20 * 64/15) + 1 = 86, seen at 21, pushed 6 later.
  CHECK(posted.write_beats.edges() == Edges{1, 2, 4, 5});
  CHECK(posted.responses.edges() == Edges{28});
  // Picked and activated at 87, WRITE 102, data 113 to 117, seen at 28.
  CHECK(waited.responses.edges() == Edges{35});
}

TEST_CASE("reads keep the port busy and so do writes far below what the memory can do") {
  test::Bench bench;
  Rig reads("reads", config(), {}, random_bytes(65536, 1));
  Rig writes("writes", config(), {}, random_bytes(65536, 1));
  base::Random random(1);
  for (std::uint32_t i = 0; i < 64; ++i) {
    reads.reads.add({i * 256, 16});
    writes.write(i * 256, 16, 1, random);
  }
  REQUIRE(bench.run_until([&] { return reads.read_beats.count() == 1024 && writes.responses.count() == 64; }, 3000));
  CHECK(reads.read_beats.edges() == run_of(41, 1024));
  const Edges& beats = writes.write_beats.edges();
  CHECK(beats.back() - beats[3] == 1020);
}

TEST_CASE("a port at 1000/3 MHz meets the memory's clock exactly") {
  test::Bench bench(base::Rational{1000, 3});
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  // The ratio is 16/5: popped at 2, at the controller at floor(16 * 16/5) + 1 = 52; end 52 + 1 + 15 + 15 + 4 = 87,
  // which is 27.2 of the port: seen at 28, pushed at 43.
  rig.reads.add({0, 4});
  // Popped at 103, controller at floor(117 * 16/5) + 1 = 375, end 395 = 123.4 of the port; seen at 124, pushed at 139.
  rig.reads.add({0, 4}, 102);
  REQUIRE(bench.run_until([&] { return rig.read_beats.count() == 8; }, 1000));
  CHECK(rig.read_beats.edges() == run_of(44, 4) + run_of(140, 4));
}

TEST_CASE("a read that waits knows what for: a refresh or its row or the turnaround or writes") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(2 * kNextRow, 1));
  base::Random random(1);
  // Popped at 2, at the controller at 69 and until READ at 85: from 17 (edge 72) to 19 (81) it waits for its row; at 20
  // (85) no more.
  rig.reads.add({0, 4}, 1);
  // Popped at 101, at 491. Another row: picked 492, precharged at once, READ 522: 116 (494) to 122 (520).
  rig.reads.add({kNextRow, 4}, 100);
  // Beats 203..206, at the controller at 940, WRITE at 971 with its row closed at 941. A read of the open row behind it
  // would have to wait for 971 + 23 = 994: popped at 211, at 961.
  rig.write(0, 4, 201, random);
  rig.reads.add({0, 4}, 210);
  // The refresh of 8320 to 8335 + 276 = 8611: popped at 1936, at 8321. Picked at 8611 - 15, row ready at 8626.
  rig.reads.add({0, 4}, 1935);
  std::vector<W> waits{W::none};
  bench.at_each_edge([&](sim::Edge) { waits.push_back(rig.ddr.read_wait()); });
  REQUIRE(bench.run_until([&] { return rig.read_beats.count() == 16; }, 3000));
  for (sim::Edge edge = 1; edge + 1 < static_cast<sim::Edge>(waits.size()); ++edge) {
    INFO("edge " << edge << ", " << edge * 64 / 15 << " of the memory");
    const sim::Edge memory = edge * 64 / 15;
    const W expected = (memory > 69 && memory < 85) || (memory > 491 && memory < 522) ? W::row_miss
                       : memory > 961 && memory < 971                                 ? W::arbitration
                       : memory >= 971 && memory < 994                                ? W::turnaround
                       : memory > 8321 && memory < 8611                               ? W::refresh
                       : memory >= 8611 && memory < 8626                              ? W::row_miss
                                                                                      : W::none;
    CHECK(waits[static_cast<std::size_t>(edge + 1)] == expected);  // a register: seen one edge later
  }
  CHECK(test::counter(rig.ddr, "refreshes") == 1);
  CHECK(test::counter(rig.ddr, "turnarounds") == 2);
  CHECK(test::counter(rig.ddr, "row_conflicts") == 2);
}

TEST_CASE("after quiesce the same requests take the same cycles of a banked memory as of a fresh one") {
  test::Bench bench;
  Rig fresh("fresh", config(), {}, random_bytes(4 * kNextRow, 1));
  Rig used("used", config(), {}, random_bytes(4 * kNextRow, 1));
  base::Random random(1);
  used.write(0, 16, 930, random);
  constexpr sim::Edge kBoundary = 1013;  // not an edge both clocks share
  bench.at_each_edge([&](sim::Edge edge) {
    if (edge == kBoundary) used.ddr.quiesce();
  });
  for (sim::Edge edge = 1; edge < 4000; edge += 37) {
    const auto place = static_cast<std::uint32_t>(random.uniform(0, 2000) * 256);
    for (auto* rig : {&fresh, &used}) {
      const sim::Edge shift = rig == &used ? kBoundary : 0;
      rig->reads.add({place, 16}, edge + shift);
      rig->write(place, 8, edge + shift + 3, random);
    }
  }
  bench.run(6000);
  REQUIRE(fresh.read_beats.count() == used.read_beats.count());
  REQUIRE(fresh.read_beats.count() > 1600);
  for (std::size_t i = 0; i < fresh.read_beats.count(); ++i)
    REQUIRE(fresh.read_beats.edges()[i] + kBoundary == used.read_beats.edges()[i]);
  for (std::size_t i = 0; i < fresh.responses.count(); ++i)
    REQUIRE(fresh.responses.edges()[i] + kBoundary == used.responses.edges()[i + 1]);
  // Every access is counted, also the last writes, which the controller held when they were answered.
  CHECK(test::counter(fresh.ddr, "row_hits") + test::counter(fresh.ddr, "row_misses") +
            test::counter(fresh.ddr, "row_conflicts") ==
        static_cast<std::int64_t>(fresh.read_beats.count()) / 4 +
            static_cast<std::int64_t>(fresh.responses.count()) * 2);
}

}  // namespace fansim::banked_ddr_test
