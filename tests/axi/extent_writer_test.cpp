// SPDX-License-Identifier: Apache-2.0
#include "axi/extent_writer.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "axi/memory_stub.h"
#include "support/stream_bench.h"

namespace fansim::extent_writer_test {

namespace {

contract::Extent extent_at(std::uint32_t address, int beats, bool last) {
  contract::Extent extent;
  extent.address = address;
  extent.beats = beats;
  extent.last = last;
  return extent;
}

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const contract::ExtentPortConfig& config, int latency, int stall = 0,
      std::uint64_t seed = 1)
      : sc_module(name),
        run_source("run_source", {}, stall, seed),
        beat_source("beat_source", {}, stall, seed),
        memory("memory", config.beat_bytes(), 65536, latency, stall, seed),
        writer("writer", config),
        tiles("tiles", stall, seed),
        random(seed),
        expected(memory.memory),
        beat_bytes(config.beat_bytes()) {
    run_source.out(runs);
    writer.runs(runs);
    beat_source.out(beats);
    writer.beats(beats);
    writer.aw(aw);
    memory.aw(aw);
    writer.w(w);
    memory.w(w);
    memory.b(b);
    writer.b(b);
    memory.ar(ar);
    memory.r(r);
    writer.written(written);
    tiles.in(written);
  }
  // Writes random data with random strobes; the first is not pushed before an edge.
  void write(std::uint32_t address, int length, bool last, sim::Edge not_before = 0) {
    run_source.add(extent_at(address, length, last));
    ends += last;
    for (int i = 0; i < length; ++i, address += static_cast<std::uint32_t>(beat_bytes)) {
      contract::ExtentBeat beat;
      beat.last = i + 1 == length;
      for (int byte = 0; byte < beat_bytes; ++byte) {
        beat.data[static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(random.uniform(0, 255));
        if (random.chance(20)) continue;
        beat.strobe |= std::uint64_t{1} << byte;
        expected[address + static_cast<std::uint32_t>(byte)] = beat.data[static_cast<std::size_t>(byte)];
        ++bytes;
      }
      beat_source.add(beat, not_before);
    }
    total += length;
  }
  bool done() const { return tiles.count() == static_cast<std::size_t>(ends) && writer.idle() && beat_source.done(); }

  sim::Stream<contract::Extent> runs{"runs"};
  sim::Stream<contract::ExtentBeat> beats{"beats"};
  sim::Stream<axi::ReadBurst> ar{"ar"};
  sim::Stream<axi::ReadBeat> r{"r"};
  sim::Stream<axi::WriteBurst> aw{"aw"};
  sim::Stream<axi::WriteBeat> w{"w"};
  sim::Stream<axi::WriteResponse> b{"b"};
  sim::Stream<contract::TileWritten> written{"written"};
  test::Source<contract::Extent> run_source;
  test::Source<contract::ExtentBeat> beat_source;
  test::MemoryStub memory;
  axi::ExtentWriter writer;
  test::Sink<contract::TileWritten> tiles;
  base::Random random;
  std::vector<std::uint8_t> expected;
  int ends = 0;
  std::int64_t total = 0;
  std::int64_t bytes = 0;
  const int beat_bytes;
};

// Tests a writer whose memory the test plays itself.
struct Answers {
  Answers(const contract::Extent& extent, const std::vector<contract::ExtentBeat>& data,
          const std::vector<axi::WriteResponse>& answer)
      : run_source("run_source", {extent}), beat_source("beat_source", data), memory("memory", answer) {
    run_source.out(runs);
    writer.runs(runs);
    beat_source.out(beats);
    writer.beats(beats);
    writer.aw(aw);
    bursts.in(aw);
    writer.w(w);
    sent.in(w);
    memory.out(b);
    writer.b(b);
    writer.written(written);
    tiles.in(written);
    memory.not_before.assign(answer.size(), 20);
  }
  std::string violation() {
    try {
      bench.run(100);
    } catch (const sim::Violation& broken) {
      return broken.what();
    }
    return "none";
  }
  test::Bench bench;
  sim::Stream<contract::Extent> runs{"runs"};
  sim::Stream<contract::ExtentBeat> beats{"beats"};
  sim::Stream<axi::WriteBurst> aw{"aw"};
  sim::Stream<axi::WriteBeat> w{"w"};
  sim::Stream<axi::WriteResponse> b{"b"};
  sim::Stream<contract::TileWritten> written{"written"};
  test::Source<contract::Extent> run_source;
  test::Source<contract::ExtentBeat> beat_source;
  test::Source<axi::WriteResponse> memory;
  axi::ExtentWriter writer{"writer", {}};
  test::Sink<axi::WriteBurst> bursts{"bursts"};
  test::Sink<axi::WriteBeat> sent{"sent"};
  test::Sink<contract::TileWritten> tiles{"tiles"};
};

contract::ExtentBeat beat(bool last) {
  contract::ExtentBeat beat;
  beat.last = last;
  return beat;
}

}  // namespace

TEST_CASE("the extent writer writes exactly the strobed bytes of every extent under any stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (int bits : {32, 64, 256})
    for (int stall : {0, 30, 70})
      for (int burst : {1, 16, 256}) {
        rigs.push_back(std::make_unique<Rig>(fmt::format("r{}_{}_{}", bits, stall, burst).c_str(),
                                             contract::ExtentPortConfig{bits, burst, burst == 16 ? 5 : 2, 0}, 10,
                                             stall));
        base::Random random(static_cast<std::uint64_t>(bits));
        const int bytes = bits / 8;
        for (int i = 0; i < 30; ++i) {
          const int beats = random.uniform(1, random.chance(50) ? 4 : 300);
          rigs.back()->write(static_cast<std::uint32_t>(random.uniform(0, 65536 / bytes - beats) * bytes), beats,
                             i == 29 || random.chance(30));
        }
      }
  REQUIRE(bench.run_until(
      [&] { return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->done(); }); }));
  for (const auto& rig : rigs) {
    INFO(rig->name());
    REQUIRE(rig->memory.memory == rig->expected);
    CHECK(test::counter(rig->writer, "runs") == 30);
    CHECK(test::counter(rig->writer, "bursts") == static_cast<std::int64_t>(rig->memory.writes.size()));
    CHECK(test::counter(rig->writer, "beats") == rig->total);
    CHECK(test::counter(rig->writer, "bytes") == rig->bytes);
  }
}

TEST_CASE("the extent writer issues a burst one edge after its last beat and tells when the tile is written") {
  test::Bench bench;
  Rig rig("rig", {128, 16, 16, 0}, 40);
  rig.write(4096 - 2 * 16, 5, true);
  bench.run(120);
  // Beats, pushed from 1 on, are popped at 2 to 6. The burst of two (to the 4 KiB boundary) is issued at 4, that of
  // three at 7; memory, which takes it at 8 and its beats at 9 to 11, answers at 51; the answer is popped at 52, the
  // token at 53.
  REQUIRE(rig.memory.writes.size() == 2);
  CHECK(rig.memory.writes[0].edge == 5);
  CHECK(rig.memory.writes[0].beats == 2);
  CHECK(rig.memory.writes[1].edge == 8);
  CHECK(rig.memory.writes[1].beats == 3);
  CHECK(rig.tiles.edges() == std::vector<sim::Edge>{53});
}

TEST_CASE("the extent writer sustains a beat per cycle from extent to extent") {
  test::Bench bench;
  Rig rig("rig", {32, 16, 16, 0}, 5);
  for (int i = 0; i < 20; ++i) rig.write(static_cast<std::uint32_t>(i * 64), 16, i == 19);
  std::int64_t first = 0;  // when the second burst begins: the stub takes no data before its first burst
  bench.at_each_edge([&](sim::Edge edge) {
    if (first == 0 && test::counter(rig.writer, "beats") > 16) first = edge;
  });
  REQUIRE(bench.run_until([&] { return test::counter(rig.writer, "beats") == 320; }));
  CHECK(bench.now() - first == 303);
}

TEST_CASE("the extent writer takes two bursts while its memory stands still and has no more unanswered than allowed") {
  test::Bench bench;
  Rig rig("rig", {32, 8, 2, 0}, 200);
  rig.write(0, 64, true);
  std::int64_t taken = 0;
  bench.at_each_edge([&](sim::Edge edge) {
    if (edge == 150) taken = rig.beats.pops();
  });
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  // Two bursts are on their way, two more wait in the buffer.
  CHECK(taken == 32);
  CHECK(rig.memory.writes[1].edge < 150);
  CHECK(rig.memory.writes[2].edge > 200);
  CHECK(test::counter(rig.writer, "stalls") > 0);
}

TEST_CASE("every beat that the extent writer does not take at once is a stall") {
  test::Bench bench;
  Rig rig("rig", {32, 8, 2, 0}, 100);
  rig.write(0, 64, true);
  std::int64_t offered = 0;
  bench.at_each_edge([&](sim::Edge) { offered += rig.beats.shown() > rig.beats.pops(); });
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  CHECK(offered == 64 + test::counter(rig.writer, "stalls"));
}

TEST_CASE("an error response to the extent writer is a violation") {
  CHECK(Answers(extent_at(0, 1, true), {beat(true)}, {{axi::Resp::decerr, 0}}).violation() ==
        "writer: BRESP is DECERR, cycle 21");
}

TEST_CASE("a response to data not sent is a violation of the extent writer's") {
  CHECK(Answers(extent_at(0, 1, true), {}, {{}}).violation() ==
        "writer: a response to data that have not been sent, cycle 21");
}

TEST_CASE("an extent that ends too early is a violation of the extent writer's") {
  CHECK(Answers(extent_at(0, 2, true), {beat(true), beat(true)}, {}).violation() ==
        "writer: a run's last beat is 1 with 1 beats of its burst to come, cycle 4");
}

TEST_CASE("an extent that begins within a beat is a violation of the extent writer's") {
  CHECK(Answers(extent_at(2, 1, true), {}, {}).violation() == "writer: a run of 1 beats at 0x2, cycle 2");
}

}  // namespace fansim::extent_writer_test
