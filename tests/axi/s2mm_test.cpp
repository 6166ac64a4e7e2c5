// SPDX-License-Identifier: Apache-2.0
#include "axi/s2mm.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "memory_stub.h"
#include "support/stream_bench.h"

namespace fansim::s2mm_test {

namespace {

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const contract::AxiConfig& axi, int latency, int stall = 0,
      std::uint64_t seed = 1)
      : sc_module(name),
        commands("commands"),
        packets("packets", {}, stall, seed),
        memory("memory", axi.beat_bytes(), 65536, latency, stall, seed),
        s2mm("s2mm", contract::DmaConfig{}, axi),
        dones("dones", stall, seed),
        expected(memory.memory),
        beat_bytes(axi.beat_bytes()) {
    commands.out(command);
    s2mm.command(command);
    packets.out(s_axis);
    s2mm.s_axis(s_axis);
    s2mm.aw(aw);
    memory.aw(aw);
    s2mm.w(w);
    memory.w(w);
    memory.b(b);
    s2mm.b(b);
    memory.ar(ar);
    memory.r(r);
    s2mm.done(done);
    dones.in(done);
  }
  void packet(int bytes, base::Random& random, std::uint32_t address) {
    for (int at = 0; at < bytes; at += beat_bytes) {
      axi::StreamBeat beat;
      beat.bytes = std::min(beat_bytes, bytes - at);
      beat.last = at + beat_bytes >= bytes;
      for (auto& byte : beat.data) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
      std::copy(beat.data.begin(), beat.data.begin() + beat.bytes, expected.begin() + address + at);
      packets.add(beat);
    }
  }
  void transfer(std::uint32_t address, int bytes, base::Random& random) {
    commands.add({address, static_cast<std::uint32_t>(bytes)});
    packet(bytes, random, address);
  }
  sim::Stream<axi::TransferCommand> command{"command"};
  sim::Stream<axi::StreamBeat> s_axis{"s_axis"};
  sim::Stream<axi::ReadBurst> ar{"ar"};
  sim::Stream<axi::ReadBeat> r{"r"};
  sim::Stream<axi::WriteBurst> aw{"aw"};
  sim::Stream<axi::WriteBeat> w{"w"};
  sim::Stream<axi::WriteResponse> b{"b"};
  sim::Stream<axi::TransferDone> done{"done"};
  test::Source<axi::TransferCommand> commands;
  test::Source<axi::StreamBeat> packets;
  test::MemoryStub memory;
  axi::S2mm s2mm;
  test::Sink<axi::TransferDone> dones;
  std::vector<std::uint8_t> expected;
  const int beat_bytes;
};

}  // namespace

TEST_CASE("S2MM accepts s2mm_start after the command and issues a burst the cycle after it is whole") {
  test::Bench bench;
  Rig rig("rig", {}, 20);
  Rig shifted("shifted", {}, 20);
  base::Random random(1);
  rig.transfer(256, 512, random);
  shifted.transfer(3 * 4096 - 7, 9, random);
  bench.run(200);
  // Two beats wait in the stream; the first is popped at 9 and makes room for the third at 10.
  REQUIRE(rig.packets.edges()[2] == 10);
  // Beats at 9..24, burst pushed at 25 and popped at 26; the second at 42.
  CHECK(rig.memory.writes[0].edge == 26);
  CHECK(rig.memory.writes[1].edge == 42);
  // Its 16 beats are popped from 43 to 58, the response pushed at 78, popped at 79 when `done` is pushed.
  CHECK(rig.dones.edges() == std::vector<sim::Edge>{80});
  // One beat in, two beats of memory and two bursts out, as it straddles a 4 KiB boundary.
  REQUIRE(shifted.memory.writes.size() == 2);
  CHECK(shifted.memory.writes[0].edge == 11);
  CHECK(shifted.memory.writes[1].edge == 12);
  CHECK(shifted.memory.memory == shifted.expected);
}

TEST_CASE("S2MM accepts a beat per cycle when memory does") {
  test::Bench bench;
  Rig rig("rig", {}, 20);
  base::Random random(1);
  rig.transfer(1024, 8192, random);
  REQUIRE(bench.run_until([&] { return rig.dones.count() == 1; }, 1000));
  const auto& edges = rig.packets.edges();
  CHECK(edges.back() - edges[2] == 509);
  CHECK(test::counter(rig.s2mm, "stalls") == 0);
}

TEST_CASE("S2MM writes exactly the packet's bytes at any address and length under any stalls and counts them") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  constexpr int kTransfers = 60;
  std::int64_t total = 0;
  for (int bits : {64, 128})
    for (int stall : {0, 30, 70})
      for (int beats : {1, 16, 256}) {
        contract::AxiConfig axi;
        axi.data_bits = bits;
        axi.burst_beats = beats;
        axi.outstanding = beats == 16 ? 4 : 1;
        rigs.push_back(std::make_unique<Rig>(fmt::format("r{}_{}_{}", bits, stall, beats).c_str(), axi, 10, stall));
        base::Random random(4);
        total = 0;
        for (int i = 0; i < kTransfers; ++i) {
          const int bytes = random.uniform(1, random.chance(50) ? 40 : 9000);
          rigs.back()->transfer(static_cast<std::uint32_t>(random.uniform(0, 65536 - bytes)), bytes, random);
          total += bytes;
        }
      }
  REQUIRE(bench.run_until([&] {
    return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->dones.count() == kTransfers; });
  }));
  for (const auto& rig : rigs) {
    INFO(rig->name());
    CHECK(test::counter(rig->s2mm, "beats") == static_cast<std::int64_t>(rig->packets.edges().size()));
    CHECK(test::counter(rig->s2mm, "bursts") == static_cast<std::int64_t>(rig->memory.writes.size()));
    CHECK(test::counter(rig->s2mm, "transfers") == kTransfers);
    REQUIRE(rig->memory.memory == rig->expected);
  }
  CHECK(test::counter(rigs[0]->s2mm, "bytes") == test::counter(rigs[1]->s2mm, "bytes"));
  CHECK(test::counter(rigs.back()->s2mm, "bytes") == total);
}

TEST_CASE("a packet longer than LENGTH is written up to LENGTH and reported as DMAIntErr") {
  test::Bench bench;
  Rig rig("rig", {}, 20);
  base::Random random(1);
  rig.commands.add({0, 100});
  rig.packet(101, random, 0);
  rig.expected[100] = rig.memory.memory[100];
  bench.run(300);
  REQUIRE(rig.dones.count() == 1);
  CHECK(rig.dones.items()[0].errors == contract::dma_map::kSrDmaIntErr);
  CHECK(rig.dones.items()[0].bytes == 100);
  CHECK(rig.memory.memory == rig.expected);
}

TEST_CASE("a packet shorter than LENGTH ends the transfer with the bytes received") {
  test::Bench bench;
  Rig rig("rig", {}, 20);
  base::Random random(1);
  rig.commands.add({5, 5000});
  rig.packet(96, random, 5);
  rig.commands.add({8192, 4096});
  rig.packet(4096, random, 8192);
  REQUIRE(bench.run_until([&] { return rig.dones.count() == 2; }, 2000));
  CHECK(rig.dones.items()[0].errors == 0);
  CHECK(rig.dones.items()[0].bytes == 96);
  CHECK(rig.dones.items()[1].bytes == 4096);
  CHECK(rig.memory.memory == rig.expected);
}

}  // namespace fansim::s2mm_test
