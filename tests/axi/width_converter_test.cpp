// SPDX-License-Identifier: Apache-2.0
#include "axi/width_converter.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "axi/ram.h"
#include "memory_stub.h"
#include "support/stream_bench.h"

namespace fansim::width_converter_test {

namespace {

constexpr std::size_t kMemory = 65536;

// Contains a manager of random bursts, the converter, and a subordinate of the other width that checks them.
template <class Memory>
struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, int manager_bits, int subordinate_bits, Memory* behind, int stall = 0,
      int burst_beats = 256)
      : sc_module(name),
        bytes(static_cast<std::size_t>(manager_bits / 8)),
        reads("reads", {}, stall, 1),
        writes("writes", {}, stall, 2),
        write_beats("write_beats", {}, stall, 3),
        converter("converter", {manager_bits, subordinate_bits, 8, burst_beats}),
        memory(behind),
        read_beats("read_beats", stall, 4),
        responses("responses", stall, 5) {
    reads.out(s_ar);
    converter.s_ar(s_ar);
    converter.s_r(s_r);
    read_beats.in(s_r);
    writes.out(s_aw);
    converter.s_aw(s_aw);
    write_beats.out(s_w);
    converter.s_w(s_w);
    converter.s_b(s_b);
    responses.in(s_b);
    converter.m_ar(m_ar);
    memory->ar(m_ar);
    memory->r(m_r);
    converter.m_r(m_r);
    converter.m_aw(m_aw);
    memory->aw(m_aw);
    converter.m_w(m_w);
    memory->w(m_w);
    memory->b(m_b);
    converter.m_b(m_b);
  }
  void read(std::uint64_t address, int beats, std::uint8_t id = 0) { reads.add({address, beats, id}); }
  // Writes random bytes under random strobes, into `expected` too.
  void write(std::uint64_t address, int beats, base::Random& random, std::vector<std::uint8_t>& expected) {
    writes.add({address, beats});
    for (int i = 0; i < beats; ++i) {
      axi::WriteBeat beat;
      for (std::size_t k = 0; k < bytes; ++k) {
        beat.data[k] = static_cast<std::uint8_t>(random.uniform(0, 255));
        if (!random.chance(70)) continue;
        beat.strobe |= 1ULL << k;
        expected[address + static_cast<std::uint64_t>(i) * bytes + k] = beat.data[k];
      }
      beat.last = i + 1 == beats;
      write_beats.add(beat);
    }
  }
  // A legal burst's place for `beats` beats in the half of memory that `upper` names.
  std::uint64_t place(int beats, bool upper, base::Random& random) const {
    const int size = beats * static_cast<int>(bytes);
    const int page = random.uniform(0, 7) + (upper ? 8 : 0);
    const int slot = random.uniform(0, (4096 - size) / static_cast<int>(bytes));
    return static_cast<std::uint64_t>(page * 4096 + slot * static_cast<int>(bytes));
  }
  int longest() const { return std::min(256, 4096 / static_cast<int>(bytes)); }

  const std::size_t bytes;
  sim::Stream<axi::ReadBurst> s_ar{"s_ar"}, m_ar{"m_ar"};
  sim::Stream<axi::ReadBeat> s_r{"s_r"}, m_r{"m_r"};
  sim::Stream<axi::WriteBurst> s_aw{"s_aw"}, m_aw{"m_aw"};
  sim::Stream<axi::WriteBeat> s_w{"s_w"}, m_w{"m_w"};
  sim::Stream<axi::WriteResponse> s_b{"s_b"}, m_b{"m_b"};
  test::Source<axi::ReadBurst> reads;
  test::Source<axi::WriteBurst> writes;
  test::Source<axi::WriteBeat> write_beats;
  axi::WidthConverter converter;
  std::unique_ptr<Memory> memory;
  test::Sink<axi::ReadBeat> read_beats;
  test::Sink<axi::WriteResponse> responses;
};

using StubRig = Rig<test::MemoryStub>;

std::unique_ptr<StubRig> stub_rig(const std::string& name, int manager, int subordinate, int stall = 0, int latency = 5,
                                  int burst_beats = 256) {
  auto* memory = new test::MemoryStub((name + "_memory").c_str(), subordinate / 8, kMemory, latency, stall, 9);
  return std::make_unique<StubRig>(name.c_str(), manager, subordinate, memory, stall, burst_beats);
}

}  // namespace

TEST_CASE("any burst reads and writes the same bytes through any pair of widths under any stalls") {
  test::Bench bench;
  struct Case {
    std::unique_ptr<StubRig> rig;
    std::vector<std::uint8_t> memory;
    std::vector<std::uint8_t> read;
    std::vector<std::size_t> ends;
    std::size_t beats = 0;
    int longest = 0;  // burst of the subordinate
  };
  std::vector<Case> cases;
  constexpr int kBursts = 25;
  for (int manager : {8, 32, 64, 128, 256, 512})
    for (int subordinate : {8, 32, 64, 128, 256, 512})
      for (int stall : {0, 50}) {
        const std::string name = fmt::format("r{}_{}_{}", manager, subordinate, stall);
        Case c;
        c.longest = stall > 0 ? 7 : 256;
        c.rig = stub_rig(name, manager, subordinate, stall, 5, c.longest);
        c.memory = c.rig->memory->memory;
        base::Random random(manager + subordinate);
        for (int i = 0; i < kBursts; ++i) {
          const int beats = random.chance(20) ? c.rig->longest() : random.uniform(1, std::min(20, c.rig->longest()));
          const std::uint64_t from = c.rig->place(beats, false, random);
          c.rig->read(from, beats);
          const auto begin = c.memory.begin() + static_cast<std::ptrdiff_t>(from);
          c.read.insert(c.read.end(), begin, begin + beats * manager / 8);
          c.beats += static_cast<std::size_t>(beats);
          c.ends.push_back(c.beats);
        }
        for (int i = 0; i < kBursts; ++i) {
          const int beats = random.uniform(1, c.rig->longest());
          c.rig->write(c.rig->place(beats, true, random), beats, random, c.memory);
        }
        cases.push_back(std::move(c));
      }
  REQUIRE(bench.run_until([&] {
    return std::all_of(cases.begin(), cases.end(), [](const Case& c) {
      return c.rig->responses.count() == kBursts && c.rig->read_beats.count() >= c.beats;
    });
  }));
  for (const Case& c : cases) {
    INFO(c.rig->name());
    std::vector<std::uint8_t> read;
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < c.rig->read_beats.count(); ++i) {
      const axi::ReadBeat& beat = c.rig->read_beats.items()[i];
      read.insert(read.end(), beat.data.begin(), beat.data.begin() + static_cast<std::ptrdiff_t>(c.rig->bytes));
      if (beat.last) ends.push_back(i + 1);
    }
    REQUIRE(read == c.read);
    REQUIRE(ends == c.ends);
    REQUIRE(c.rig->memory->memory == c.memory);
    for (const auto* bursts : {&c.rig->memory->reads, &c.rig->memory->writes})
      for (const auto& burst : *bursts) REQUIRE(burst.beats <= c.longest);
    CHECK(test::counter(c.rig->converter, "read_beats") == static_cast<std::int64_t>(c.beats));
  }
}

TEST_CASE("a converter adds a cycle to every channel") {
  test::Bench bench;
  auto up = stub_rig("up", 32, 128, 0, 10);
  auto down = stub_rig("down", 128, 32, 0, 10);
  up->read(16, 4);
  down->read(16, 1);
  bench.run(60);
  // AR pushed at 1, popped by the converter at 2, pushed on at 3, popped by the memory at 4; data pushed at 14.
  for (const StubRig* rig : {up.get(), down.get()}) CHECK(rig->memory->reads[0].edge == 4);
  // Up: popped at 15, the first of four narrow beats pushed at 16 and popped at 17.
  CHECK(up->read_beats.edges() == std::vector<sim::Edge>{17, 18, 19, 20});
  // Down: four beats popped at 15 .. 18, the wide one pushed at 19 and popped at 20.
  CHECK(down->read_beats.edges() == std::vector<sim::Edge>{20});
}

TEST_CASE("the narrower side moves a beat per cycle") {
  test::Bench bench;
  auto up = stub_rig("up", 32, 256);
  auto down = stub_rig("down", 256, 32);
  base::Random random(3);
  std::vector<std::uint8_t> ignored(kMemory);
  for (int i = 0; i < 4; ++i) {
    up->read(static_cast<std::uint64_t>(i) * 1024, 256);
    down->read(static_cast<std::uint64_t>(i) * 1024, 32);
    up->write(static_cast<std::uint64_t>(i) * 1024, 256, random, ignored);
    down->write(static_cast<std::uint64_t>(i) * 1024, 32, random, ignored);
  }
  REQUIRE(bench.run_until([&] { return up->responses.count() == 4 && down->responses.count() == 4; }, 3000));
  CHECK(up->read_beats.edges().back() - up->read_beats.edges().front() == 1023);
  CHECK(down->read_beats.edges().back() - down->read_beats.edges().front() == 127 * 8);
  CHECK(up->write_beats.edges().back() - up->write_beats.edges()[4] == 1019);
}

TEST_CASE("a burst that needs more than 256 beats of the narrower side is split and answered once") {
  test::Bench bench;
  auto rig = stub_rig("rig", 128, 8);
  base::Random random(3);
  std::vector<std::uint8_t> memory = rig->memory->memory;
  rig->read(0, 256);
  rig->write(8192, 40, random, memory);
  REQUIRE(bench.run_until([&] { return rig->responses.count() == 1 && rig->read_beats.count() == 256; }, 9000));
  REQUIRE(rig->memory->reads.size() == 16);
  for (const auto& burst : rig->memory->reads) CHECK(burst.beats == 256);
  REQUIRE(rig->memory->writes.size() == 3);
  CHECK(rig->memory->writes[2].beats == 128);
  CHECK(rig->memory->memory == memory);
  CHECK(test::counter(rig->converter, "splits") == 15 + 2);
}

TEST_CASE("a port of shorter bursts gets whole ones and a rest though its beats are the wider ones") {
  test::Bench bench;
  auto rig = stub_rig("rig", 32, 128, 0, 5, 16);
  base::Random random(3);
  std::vector<std::uint8_t> memory = rig->memory->memory;
  rig->read(8, 200);  // 50 beats of the port and one of two lanes
  rig->write(8192, 70, random, memory);
  REQUIRE(bench.run_until([&] { return rig->responses.count() == 1 && rig->read_beats.count() == 200; }, 900));
  const auto beats = [](const auto& bursts) {
    std::vector<int> all;
    for (const auto& burst : bursts) all.push_back(burst.beats);
    return all;
  };
  CHECK(beats(rig->memory->reads) == std::vector<int>{16, 16, 16, 3});
  CHECK(beats(rig->memory->writes) == std::vector<int>{16, 2});
  CHECK(rig->memory->memory == memory);
  CHECK(test::counter(rig->converter, "splits") == 3 + 1);
}

TEST_CASE("an error of any part is the whole's and IDs come back") {
  test::Bench bench;
  contract::RamConfig config;
  config.kib = 64;
  config.slave_error_page = 3;
  std::vector<std::uint8_t> bytes(kMemory);
  auto* ram = new axi::Ram("ram", config, 4, bytes);
  Rig<axi::Ram> rig("rig", 128, 32, ram);
  std::vector<std::uint8_t> ignored(kMemory);
  base::Random random(3);
  rig.read(0x2ff0, 1, 5);
  rig.read(0x3000, 2, 6);
  rig.read(0x20000, 1, 6);
  rig.write(0x3000, 2, random, ignored);
  rig.write(0x1000, 2, random, ignored);
  REQUIRE(bench.run_until([&] { return rig.responses.count() == 2 && rig.read_beats.count() == 4; }, 1000));
  const auto& beats = rig.read_beats.items();
  CHECK(beats[0].resp == axi::Resp::okay);
  CHECK(beats[0].id == 5);
  CHECK(beats[1].resp == axi::Resp::slverr);
  CHECK(beats[2].resp == axi::Resp::slverr);
  CHECK(beats[2].id == 6);
  CHECK(beats[3].resp == axi::Resp::decerr);
  CHECK(rig.responses.items()[0].resp == axi::Resp::slverr);
  CHECK(rig.responses.items()[1].resp == axi::Resp::okay);
}

}  // namespace fansim::width_converter_test
