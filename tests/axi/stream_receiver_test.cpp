// SPDX-License-Identifier: Apache-2.0
#include "axi/stream_receiver.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "contract/buffer.h"
#include "support/stream_bench.h"

namespace fansim::stream_receiver_test {

using axi::StreamReceiver;

namespace {

struct RecordingSink final : axi::BeatSink {
  void begin(int target) override { begins.push_back(target); }
  void write(int target, int offset, const std::uint8_t* data, int bytes) override {
    auto& memory = targets[target];
    if (memory.size() < static_cast<std::size_t>(offset + bytes))
      memory.resize(static_cast<std::size_t>(offset + bytes));
    std::copy(data, data + bytes, memory.begin() + offset);
    writes.push_back(clock->now());
  }
  void done(int target) override { dones.emplace_back(target, clock->now()); }
  int capacity(int target) const override { return target == contract::kResident ? 20000 : 4096; }

  const sim::Module* clock = nullptr;
  std::vector<std::uint8_t> targets[3];
  std::vector<int> begins;
  std::vector<sim::Edge> writes;
  std::vector<std::pair<int, sim::Edge>> dones;
};

std::vector<axi::StreamBeat> packet(int bytes, base::Random& random) {
  std::vector<axi::StreamBeat> beats;
  for (int at = 0; at < bytes; at += 16) {
    axi::StreamBeat beat;
    for (auto& byte : beat.data) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
    beat.bytes = std::min(16, bytes - at);
    beat.last = at + 16 >= bytes;
    beats.push_back(beat);
  }
  return beats;
}

// Puts two receivers on one stream.
struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, int stall = 0, std::uint64_t seed = 1)
      : sc_module(name), source("source", {}, stall, seed) {
    source.out(stream);
    for (std::size_t i = 0; i < 2; ++i) {
      commands[i]->out(*command_streams[i]);
      receivers[i]->command(*command_streams[i]);
      receivers[i]->s_axis(stream);
      sinks[i].clock = receivers[i].get();
    }
  }
  void add(const std::vector<axi::StreamBeat>& beats) {
    for (const auto& beat : beats) source.add(beat);
  }
  sim::Stream<axi::StreamBeat> stream{"stream"};
  test::Source<axi::StreamBeat> source;
  RecordingSink sinks[2];
  std::unique_ptr<sim::Stream<axi::ReceiveCommand>> command_streams[2] = {
      std::make_unique<sim::Stream<axi::ReceiveCommand>>("command0"),
      std::make_unique<sim::Stream<axi::ReceiveCommand>>("command1")};
  std::unique_ptr<test::Source<axi::ReceiveCommand>> commands[2] = {
      std::make_unique<test::Source<axi::ReceiveCommand>>("commands0"),
      std::make_unique<test::Source<axi::ReceiveCommand>>("commands1")};
  std::unique_ptr<StreamReceiver> receivers[2] = {std::make_unique<StreamReceiver>("receiver0", sinks[0]),
                                                  std::make_unique<StreamReceiver>("receiver1", sinks[1])};
};

}  // namespace

TEST_CASE("a receiver takes a beat per cycle once armed and reports two cycles after the last") {
  test::Bench bench;
  Rig rig("rig");
  base::Random random(1);
  rig.add(packet(120 * 16, random));
  rig.commands[0]->add({1, 64}, 10);  // popped at 11
  std::vector<StreamReceiver::State> states{StreamReceiver::State::idle};
  bench.at_each_edge([&](sim::Edge) { states.push_back(rig.receivers[0]->state()); });
  bench.run(300);
  const RecordingSink& sink = rig.sinks[0];
  REQUIRE(sink.writes.size() == 120);
  for (std::size_t i = 0; i < 120; ++i) REQUIRE(sink.writes[i] == 12 + static_cast<sim::Edge>(i));
  CHECK(sink.dones == std::vector<std::pair<int, sim::Edge>>{{1, 133}});  // last beat at 131
  CHECK(sink.begins == std::vector<int>{1});
  CHECK(sink.targets[1].size() == 64 + 120 * 16);
  CHECK(rig.sinks[1].writes.empty());
  CHECK(states[11] == StreamReceiver::State::idle);
  CHECK(states[12] == StreamReceiver::State::read);
  CHECK(states[131] == StreamReceiver::State::read);
  CHECK(states[132] == StreamReceiver::State::finish);
  CHECK(states[133] == StreamReceiver::State::idle);
}

TEST_CASE("only the armed receiver pops and every packet lands where its command says under any stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  struct Expected {
    std::vector<std::uint8_t> targets[2][3];
    std::int64_t bytes = 0;
  };
  std::vector<Expected> expected;
  for (int stall : {0, 30, 70}) {
    rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", stall).c_str(), stall));
    base::Random random(9);
    Expected e;
    // Packet i is for receiver i % 2, which is armed 2000 edges after the one before.
    for (int i = 0; i < 20; ++i) {
      const int bytes = random.uniform(1, 4000);
      const int target = random.uniform(0, 2);
      const int base = target == 2 ? random.uniform(0, 10000) : random.uniform(0, 96);
      const auto beats = packet(bytes, random);
      rigs.back()->add(beats);
      rigs.back()->commands[i % 2]->add({target, base}, 1 + 2000 * i);
      auto& memory = e.targets[i % 2][target];
      memory.resize(std::max(memory.size(), static_cast<std::size_t>(base + bytes)));
      int at = base;
      for (const auto& beat : beats)
        for (int k = 0; k < beat.bytes; ++k)
          memory[static_cast<std::size_t>(at++)] = beat.data[static_cast<std::size_t>(k)];
      e.bytes += bytes;
    }
    expected.push_back(e);
  }
  bench.run(42000);
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    INFO(rigs[i]->name());
    for (int n = 0; n < 2; ++n) {
      REQUIRE(rigs[i]->sinks[n].dones.size() == 10);
      for (int target = 0; target < 3; ++target)
        REQUIRE(rigs[i]->sinks[n].targets[target] == expected[i].targets[n][target]);
    }
    CHECK(test::counter(*rigs[i]->receivers[0], "bytes") + test::counter(*rigs[i]->receivers[1], "bytes") ==
          expected[i].bytes);
  }
}

TEST_CASE("the next command may follow as soon as the receiver is idle") {
  test::Bench bench;
  Rig rig("rig");
  base::Random random(1);
  rig.add(packet(32, random));
  rig.add(packet(16, random));
  rig.commands[0]->add({0, 0});
  rig.commands[0]->add({1, 0});
  bench.run(30);
  // Popped at 2, beats at 3 and 4, FINISH at 5, wr_done and the next pop at 6, its beat at 7.
  CHECK(rig.sinks[0].writes == std::vector<sim::Edge>{3, 4, 7});
  CHECK(rig.sinks[0].dones == std::vector<std::pair<int, sim::Edge>>{{0, 6}, {1, 9}});
}

TEST_CASE("a packet that overflows its target is a violation") {
  test::Bench bench;
  Rig rig("rig");
  base::Random random(1);
  rig.add(packet(4097, random));
  rig.commands[0]->add({0, 0});
  REQUIRE_THROWS_WITH(bench.run(1000), Catch::Contains("overflow"));
}

}  // namespace fansim::stream_receiver_test
