// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>
#include <random>

#include "axi/pins/link.h"
#include "support/stream_bench.h"

using namespace fansim;

namespace {

constexpr std::size_t kBeats = 3000;

axi::StreamBeat random_beat(base::Random& random) {
  axi::StreamBeat beat;
  beat.bytes = random.uniform(1, 16);
  for (int i = 0; i < beat.bytes; ++i)
    beat.data[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(random.uniform(0, 255));
  beat.last = random.chance(10);
  return beat;
}

// Both ends of a stream, stalling as the seed alone says.
class Sender final : public sim::Module {
 public:
  sim::StreamOut<axi::StreamBeat> out{"out"};
  std::vector<sim::Edge> edges;
  std::vector<axi::StreamBeat> sent;

  Sender(const sc_core::sc_module_name& name, int stall, std::uint64_t seed)
      : Module(name), stall_(stall), random_(seed) {}

 private:
  void step() override {
    if (sent.size() == kBeats || random_.chance(stall_) || !out.can_push()) return;
    sent.push_back(random_beat(random_));
    out.push(sent.back());
    edges.push_back(now());
  }
  int stall_;
  base::Random random_;
};

class Receiver final : public sim::Module {
 public:
  sim::StreamIn<axi::StreamBeat> in{"in"};
  std::vector<sim::Edge> edges;
  std::vector<axi::StreamBeat> received;

  Receiver(const sc_core::sc_module_name& name, int stall, std::uint64_t seed)
      : Module(name), stall_(stall), random_(seed) {}

 private:
  void step() override {
    if (random_.chance(stall_) || !in.can_pop()) return;
    received.push_back(in.pop());
    edges.push_back(now());
  }
  int stall_;
  base::Random random_;
};

// With a clock, wires lie between the ends.
struct Lane : sc_core::sc_module {
  Lane(const sc_core::sc_module_name& name, sim::ClockDomain* clock, int sender_stall, int receiver_stall,
       std::uint64_t seed)
      : sc_module(name), sender("sender", sender_stall, seed), receiver("receiver", receiver_stall, seed + 1) {
    sender.out(near);
    receiver.in(clock ? far : near);
    if (clock) link = axi::link_stream("link", *clock, 128, near, far);
  }
  bool done() const { return receiver.received.size() == kBeats; }

  sim::Stream<axi::StreamBeat> near{"near"}, far{"far"};
  Sender sender;
  Receiver receiver;
  std::unique_ptr<axi::PinLink> link;
};

}  // namespace

TEST_CASE("over wires every beat is pushed and popped at the edge of the undivided stream, whatever stalls") {
  const std::uint64_t seed = std::random_device{}();
  INFO("seed " << seed);
  test::Bench bench;
  std::vector<std::pair<std::unique_ptr<Lane>, std::unique_ptr<Lane>>> pairs;
  for (int sender : {0, 30, 70})
    for (int receiver : {0, 30, 70}) {
      const std::string name = fmt::format("s{}_{}", sender, receiver);
      pairs.emplace_back(std::make_unique<Lane>(name.c_str(), nullptr, sender, receiver, seed),
                         std::make_unique<Lane>((name + "_wires").c_str(), &bench.clock, sender, receiver, seed));
    }
  REQUIRE(bench.run_until([&] {
    return std::all_of(pairs.begin(), pairs.end(),
                       [](auto& pair) { return pair.first->done() && pair.second->done(); });
  }));
  for (const auto& [plain, wires] : pairs) {
    INFO(plain->name());
    CHECK(wires->sender.edges == plain->sender.edges);
    CHECK(wires->receiver.edges == plain->receiver.edges);
    bool same = true;
    for (std::size_t i = 0; i < kBeats; ++i) {
      const axi::StreamBeat &sent = wires->sender.sent[i], &received = wires->receiver.received[i];
      same = same && sent.data == received.data && sent.bytes == received.bytes && sent.last == received.last;
    }
    CHECK(same);
    CHECK(wires->link->beats_checked() == static_cast<std::int64_t>(kBeats));
  }
}
