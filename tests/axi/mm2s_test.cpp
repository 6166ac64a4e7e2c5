// SPDX-License-Identifier: Apache-2.0
#include "axi/mm2s.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "memory_stub.h"
#include "support/stream_bench.h"

namespace fansim::mm2s_test {

namespace {

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const contract::AxiConfig& axi, int latency, int stall = 0,
      std::uint64_t seed = 1)
      : sc_module(name),
        commands("commands"),
        memory("memory", axi.beat_bytes(), 65536, latency, stall, seed),
        mm2s("mm2s", contract::DmaConfig{}, axi),
        sink("sink", stall, seed),
        dones("dones", stall, seed),
        beat_bytes(axi.beat_bytes()) {
    commands.out(command);
    mm2s.command(command);
    mm2s.ar(ar);
    memory.ar(ar);
    memory.r(r);
    mm2s.r(r);
    memory.aw(aw);
    memory.w(w);
    memory.b(b);
    mm2s.m_axis(m_axis);
    sink.in(m_axis);
    mm2s.done(done);
    dones.in(done);
  }
  // Every command ends a packet, unless `pieces` of them make one.
  void transfer(std::uint32_t address, std::uint32_t bytes) {
    commands.add({address, bytes, ++commanded % pieces == 0});
    expected.insert(expected.end(), memory.memory.begin() + address, memory.memory.begin() + address + bytes);
    ends.push_back(expected.size());
  }
  sim::Stream<axi::TransferCommand> command{"command"};
  sim::Stream<axi::ReadBurst> ar{"ar"};
  sim::Stream<axi::ReadBeat> r{"r"};
  sim::Stream<axi::WriteBurst> aw{"aw"};
  sim::Stream<axi::WriteBeat> w{"w"};
  sim::Stream<axi::WriteResponse> b{"b"};
  sim::Stream<axi::StreamBeat> m_axis{"m_axis"};
  sim::Stream<axi::TransferDone> done{"done"};
  test::Source<axi::TransferCommand> commands;
  test::MemoryStub memory;
  axi::Mm2s mm2s;
  test::Sink<axi::StreamBeat> sink;
  test::Sink<axi::TransferDone> dones;
  std::vector<std::uint8_t> expected;
  std::vector<std::size_t> ends;
  int pieces = 1;
  int commanded = 0;
  const int beat_bytes;
};

}  // namespace

TEST_CASE("MM2S issues its first burst mm2s_start after the command and streams mm2s_stream after the data") {
  test::Bench bench;
  Rig aligned("aligned", {}, 40);
  Rig unaligned("unaligned", {}, 40);
  Rig byte("byte", {}, 40);
  aligned.transfer(256, 512);
  unaligned.transfer(259, 512);
  byte.transfer(300, 1);
  bench.run(200);
  // The command, written at 1, makes the burst pushed at 9 and popped at 10; its first beat is pushed at 50, popped at
  // 51, streamed at 57 and popped at 58.
  for (const Rig* rig : {&aligned, &unaligned, &byte}) CHECK(rig->memory.reads[0].edge == 10);
  CHECK(aligned.memory.reads[1].edge == 11);
  CHECK(aligned.sink.edges().front() == 58);
  CHECK(unaligned.sink.edges().front() == 59);  // needs two beats of memory
  CHECK(byte.sink.edges().front() == 58);
  CHECK(byte.sink.items().front().bytes == 1);
  CHECK(aligned.sink.edges().back() == 58 + 31);
  CHECK(aligned.dones.edges() == std::vector<sim::Edge>{58 + 31});
}

TEST_CASE("MM2S streams a beat per cycle when memory does") {
  test::Bench bench;
  Rig aligned("aligned", {}, 20);
  Rig unaligned("unaligned", {}, 20);
  aligned.transfer(0, 8192);
  unaligned.transfer(5, 8192);
  bench.run(1000);
  for (const Rig* rig : {&aligned, &unaligned}) {
    REQUIRE(rig->sink.count() == 512);
    CHECK(rig->sink.edges().back() - rig->sink.edges().front() == 511);
    for (std::size_t i = 0; i < 511; ++i) REQUIRE(rig->sink.items()[i].bytes == 16);
  }
}

TEST_CASE("MM2S reserves its FIFO: nothing is issued without room and read data are never refused") {
  test::Bench bench;
  contract::AxiConfig axi;
  Rig rig("rig", axi, 40);
  rig.transfer(8, 16384);
  rig.sink.not_before = 1000;
  int refused = 0;
  bench.at_each_edge([&](sim::Edge) { refused += rig.r.occupancy() == 2; });
  REQUIRE(bench.run_until([&] { return rig.dones.count() == 1; }, 5000));
  CHECK(refused == 0);
  CHECK(rig.memory.most_in_flight == 4);
  // Until the stream moves: the FIFO of 64 beats is full, which is four bursts, and two beats wait in the stream.
  CHECK(std::count_if(rig.memory.reads.begin(), rig.memory.reads.end(), [](const auto& b) { return b.edge < 1000; }) ==
        4);
}

TEST_CASE("MM2S delivers exactly the bytes of any address and length under any stalls and its counters add up") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  constexpr int kTransfers = 60;
  for (int bits : {64, 128})
    for (int stall : {0, 30, 70})
      for (int beats : {1, 16, 256}) {
        contract::AxiConfig axi;
        axi.data_bits = bits;
        axi.burst_beats = beats;
        axi.outstanding = beats == 16 ? 4 : 3;
        rigs.push_back(std::make_unique<Rig>(fmt::format("r{}_{}_{}", bits, stall, beats).c_str(), axi, 10, stall));
        base::Random random(4);
        for (int i = 0; i < kTransfers; ++i) {
          const int bytes = random.uniform(1, random.chance(50) ? 40 : 9000);
          rigs.back()->transfer(static_cast<std::uint32_t>(random.uniform(0, 65536 - bytes)),
                                static_cast<std::uint32_t>(bytes));
        }
      }
  REQUIRE(bench.run_until([&] {
    return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) {
      return rig->dones.count() == kTransfers && rig->m_axis.occupancy() == 0;
    });
  }));
  for (const auto& rig : rigs) {
    INFO(rig->name());
    std::vector<std::uint8_t> received;
    std::vector<std::size_t> ends;
    for (const auto& beat : rig->sink.items()) {
      received.insert(received.end(), beat.data.begin(), beat.data.begin() + beat.bytes);
      if (beat.last) ends.push_back(received.size());
    }
    REQUIRE(received == rig->expected);
    REQUIRE(ends == rig->ends);
    CHECK(test::counter(rig->mm2s, "bytes") == static_cast<std::int64_t>(received.size()));
    CHECK(test::counter(rig->mm2s, "beats") == static_cast<std::int64_t>(rig->sink.count()));
    CHECK(test::counter(rig->mm2s, "bursts") == static_cast<std::int64_t>(rig->memory.reads.size()));
    CHECK(test::counter(rig->mm2s, "transfers") == kTransfers);
  }
}

TEST_CASE("MM2S joins the commands of a packet byte by byte and only the packet's last beat is partial") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  constexpr int kCommands = 90;
  for (int bits : {32, 128, 512})
    for (int stall : {0, 50}) {
      contract::AxiConfig axi;
      axi.data_bits = bits;
      rigs.push_back(std::make_unique<Rig>(fmt::format("r{}_{}", bits, stall).c_str(), axi, 10, stall));
      Rig& rig = *rigs.back();
      rig.pieces = 3;
      base::Random random(5);
      for (int i = 0; i < kCommands; ++i) {
        const auto bytes = static_cast<std::uint32_t>(random.uniform(1, random.chance(50) ? 20 : 700));
        rig.transfer(static_cast<std::uint32_t>(random.uniform(0, 60000)), bytes);
        if (i % 3 != 2) rig.ends.pop_back();
      }
    }
  REQUIRE(bench.run_until([&] {
    return std::all_of(rigs.begin(), rigs.end(),
                       [](const auto& rig) { return rig->dones.count() == kCommands && rig->m_axis.occupancy() == 0; });
  }));
  for (const auto& rig : rigs) {
    INFO(rig->name());
    std::vector<std::uint8_t> received;
    std::vector<std::size_t> ends;
    for (const auto& beat : rig->sink.items()) {
      received.insert(received.end(), beat.data.begin(), beat.data.begin() + beat.bytes);
      if (beat.last) ends.push_back(received.size());
      if (!beat.last) REQUIRE(beat.bytes == rig->beat_bytes);
    }
    REQUIRE(received == rig->expected);
    REQUIRE(ends == rig->ends);
  }
}

TEST_CASE("every cycle of an MM2S transfer is a beat or a stall or a wait") {
  test::Bench bench;
  Rig rig("rig", {}, 40);
  rig.sink.not_before = 100;
  rig.transfer(123, 5000);
  REQUIRE(bench.run_until([&] { return rig.dones.count() == 1; }, 5000));
  const std::int64_t beats = test::counter(rig.mm2s, "beats");
  const std::int64_t stalls = test::counter(rig.mm2s, "stalls");
  // The block is active from the pop of the command, at 2, to the push of the last beat and of `done`, which is popped
  // one edge later.
  CHECK(2 + beats + stalls + test::counter(rig.mm2s, "waits") == rig.dones.edges()[0]);
  CHECK(stalls > 0);
}

}  // namespace fansim::mm2s_test
