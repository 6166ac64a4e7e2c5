// SPDX-License-Identifier: Apache-2.0
#include "axi/extent_reader.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "axi/memory_stub.h"
#include "support/stream_bench.h"

namespace fansim::extent_reader_test {

namespace {

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const contract::ExtentPortConfig& config, int latency, int stall = 0,
      std::uint64_t seed = 1)
      : sc_module(name),
        source("source", {}, stall, seed),
        memory("memory", config.beat_bytes(), 65536, latency, stall, seed),
        reader("reader", config),
        sink("sink", stall, seed),
        beat_bytes(config.beat_bytes()) {
    source.out(runs);
    reader.runs(runs);
    reader.ar(ar);
    memory.ar(ar);
    memory.r(r);
    reader.r(r);
    memory.aw(aw);
    memory.w(w);
    memory.b(b);
    reader.beats(beats);
    sink.in(beats);
  }
  void read(std::uint32_t address, int length) {
    contract::Extent extent;
    extent.address = address;
    extent.beats = length;
    source.add(extent);
    expected.insert(expected.end(), memory.memory.begin() + address,
                    memory.memory.begin() + address + static_cast<std::uint32_t>(length * beat_bytes));
    lengths.push_back(length);
    total += static_cast<std::size_t>(length);
  }
  bool done() const { return sink.count() == total; }

  sim::Stream<contract::Extent> runs{"runs"};
  sim::Stream<axi::ReadBurst> ar{"ar"};
  sim::Stream<axi::ReadBeat> r{"r"};
  sim::Stream<axi::WriteBurst> aw{"aw"};
  sim::Stream<axi::WriteBeat> w{"w"};
  sim::Stream<axi::WriteResponse> b{"b"};
  sim::Stream<contract::ExtentBeat> beats{"beats"};
  test::Source<contract::Extent> source;
  test::MemoryStub memory;
  axi::ExtentReader reader;
  test::Sink<contract::ExtentBeat> sink;
  std::vector<std::uint8_t> expected;
  std::vector<int> lengths;
  std::size_t total = 0;
  const int beat_bytes;
};

void require_all(const Rig& rig) {
  INFO(rig.name());
  std::vector<std::uint8_t> received;
  std::vector<int> lengths{0};
  for (const contract::ExtentBeat& beat : rig.sink.items()) {
    received.insert(received.end(), beat.data.begin(), beat.data.begin() + rig.beat_bytes);
    ++lengths.back();
    if (beat.last) lengths.push_back(0);
  }
  lengths.pop_back();
  REQUIRE(received == rig.expected);
  REQUIRE(lengths == rig.lengths);
}

// Tests a reader whose memory the test plays itself.
struct Answers {
  Answers(const contract::Extent& extent, const std::vector<axi::ReadBeat>& answer)
      : source("source", {extent}), memory("memory", answer) {
    source.out(runs);
    reader.runs(runs);
    reader.ar(ar);
    asked.in(ar);
    memory.out(r);
    reader.r(r);
    reader.beats(beats);
    sink.in(beats);
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
  sim::Stream<axi::ReadBurst> ar{"ar"};
  sim::Stream<axi::ReadBeat> r{"r"};
  sim::Stream<contract::ExtentBeat> beats{"beats"};
  test::Source<contract::Extent> source;
  test::Source<axi::ReadBeat> memory;
  axi::ExtentReader reader{"reader", {}};
  test::Sink<axi::ReadBurst> asked{"asked"};
  test::Sink<contract::ExtentBeat> sink{"sink"};
};

contract::Extent extent_at(std::uint32_t address, int beats) {
  contract::Extent extent;
  extent.address = address;
  extent.beats = beats;
  return extent;
}

}  // namespace

TEST_CASE("the extent reader delivers exactly the bytes of every extent under any stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (int bits : {8, 32, 128, 256, 512})
    for (int stall : {0, 30, 70})
      for (int burst : {1, 16, 256})
        for (int gap : {0, 3}) {
          rigs.push_back(std::make_unique<Rig>(fmt::format("r{}_{}_{}_{}", bits, stall, burst, gap).c_str(),
                                               contract::ExtentPortConfig{bits, burst, burst == 16 ? 5 : 2, gap}, 10,
                                               stall));
          base::Random random(static_cast<std::uint64_t>(bits + gap));
          const int bytes = bits / 8;
          for (int i = 0; i < 30; ++i) {
            const int beats = random.uniform(1, random.chance(50) ? 4 : 300);
            rigs.back()->read(static_cast<std::uint32_t>(random.uniform(0, 65536 / bytes - beats) * bytes), beats);
          }
        }
  REQUIRE(bench.run_until(
      [&] { return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->done(); }); }));
  for (const auto& rig : rigs) {
    require_all(*rig);
    CHECK(test::counter(rig->reader, "runs") == 30);
    CHECK(test::counter(rig->reader, "bursts") == static_cast<std::int64_t>(rig->memory.reads.size()));
    CHECK(test::counter(rig->reader, "beats") == static_cast<std::int64_t>(rig->total));
  }
}

TEST_CASE("the extent reader issues an extent's first burst at the edge that pops it and hands beats on at once") {
  test::Bench bench;
  Rig rig("rig", {128, 16, 16, 0}, 40);
  rig.read(4096 - 3 * 16, 20);
  bench.run(100);
  // The extent, pushed at 1, is popped at 2 and issues bursts of 3 (to the 4 KiB boundary), 16 and 1 beats, popped at 3
  // to
  // 5. The first one's beats are pushed at 43, popped and pushed on at 44, popped at 45.
  REQUIRE(rig.memory.reads.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(rig.memory.reads[i].edge == static_cast<sim::Edge>(3 + i));
  CHECK(rig.memory.reads[0].beats == 3);
  CHECK(rig.memory.reads[1].beats == 16);
  CHECK(rig.memory.reads[2].beats == 1);
  CHECK(rig.sink.edges().front() == 45);
}

TEST_CASE("the extent reader sustains a beat per cycle from extent to extent but for the gap behind each burst") {
  test::Bench bench;
  Rig none("none", {32, 16, 16, 0}, 20), gap("gap", {32, 16, 16, 3}, 20);
  for (int i = 0; i < 40; ++i) {
    none.read(static_cast<std::uint32_t>(i * 64), 5);
    gap.read(0, 16);
  }
  REQUIRE(bench.run_until([&] { return none.done() && gap.done(); }));
  CHECK(none.sink.edges().back() - none.sink.edges().front() == 199);
  CHECK(gap.sink.edges().back() - gap.sink.edges().front() == 40 * 16 - 1 + 39 * 3);
}

TEST_CASE("the extent reader has no more bursts in flight than allowed and uses a freed slot at the next edge") {
  test::Bench bench;
  Rig rig("rig", {64, 4, 3, 0}, 30);
  rig.read(0, 40);
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  CHECK(rig.memory.most_in_flight == 3);
  // The first burst's last beat is pushed at 3 + 30 + 3 and popped at the next edge; the slot's next burst is pushed at
  // the edge after and popped one later.
  CHECK(rig.memory.reads[2].edge == 5);
  CHECK(rig.memory.reads[3].edge == 3 + 30 + 3 + 1 + 1 + 1);
}

TEST_CASE("every cycle in which the extent reader has bursts in flight is a beat or a gap or a stall or a wait") {
  test::Bench bench;
  Rig rig("rig", {32, 8, 4, 2}, 25);
  rig.sink.not_before = 60;
  rig.read(256, 200);
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  const auto count = [&](const char* name) { return test::counter(rig.reader, name); };
  // In flight from the push at 2 to the pop of the last beat, one edge before the sink has it. Among 25 bursts the last
  // one's gap is behind all.
  CHECK(2 + count("beats") + count("gaps") + count("stalls") + count("waits") == rig.sink.edges().back());
  CHECK(count("stalls") > 0);
  CHECK(count("gaps") == 24 * 2);
}

TEST_CASE("an error response to the extent reader is a violation") {
  axi::ReadBeat beat;
  beat.last = true;
  beat.resp = axi::Resp::slverr;
  CHECK(Answers(extent_at(0, 1), {beat}).violation() == "reader: RRESP is SLVERR, cycle 21");
}

TEST_CASE("RLAST before a burst's last beat is a violation of the extent reader's") {
  axi::ReadBeat beat;
  beat.last = true;
  CHECK(Answers(extent_at(0, 2), {beat}).violation() == "reader: RLAST is 1 with 1 beats to come, cycle 21");
}

TEST_CASE("read data that nobody asked for are a violation of the extent reader's") {
  axi::ReadBeat beat;
  beat.last = true;
  CHECK(Answers(extent_at(0, 1), {beat, beat}).violation() == "reader: read data that nobody asked for, cycle 22");
}

TEST_CASE("an extent that begins within a beat is a violation of the extent reader's") {
  CHECK(Answers(extent_at(6, 1), {}).violation() == "reader: a run of 1 beats at 0x6, cycle 2");
}

TEST_CASE("an extent of no beats is a violation of the extent reader's") {
  CHECK(Answers(extent_at(8, 0), {}).violation() == "reader: a run of 0 beats at 0x8, cycle 2");
}

}  // namespace fansim::extent_reader_test
