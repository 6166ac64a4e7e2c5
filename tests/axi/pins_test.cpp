// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <set>

#include "axi/checker/checker.h"
#include "axi/pins/adapters.h"
#include "axi/pins/link.h"
#include "support/stream_bench.h"

namespace fansim::pins_test {

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

// Models foreign hardware with a fault: it changes the address of a read while the read waits, and then sends data that
// nobody requested.
SC_MODULE(Foreign) {
  sc_core::sc_in<bool> clk{"clk"};
  axi::ReadPins<axi::ManagerRole, axi::Widths<64>> m;
  SC_CTOR(Foreign) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }
  void edge() {
    ++edges_;
    m.ar.valid.write(edges_ >= 2 && edges_ < 6);
    m.ar.size.write(3);
    m.ar.burst.write(1);
    m.ar.addr.write(edges_ < 5 ? 0x100 : 0x180);
    m.r.ready.write(true);
  }
  int edges_ = 0;
};

// Has two of each interface.
SC_MODULE(Bridge) {
  axi::Axi4Pins<axi::SubordinateRole, axi::Widths<64>> s{"s_axi_"};
  axi::Axi4Pins<axi::ManagerRole, axi::Widths<64>> m{"m_axi_"};
  axi::LitePins<axi::SubordinateRole> s_lite{"s_axi_lite_"};
  axi::LitePins<axi::ManagerRole> m_lite{"m_axi_lite_"};
  axi::StreamPins<axi::SubordinateRole, 64> s_stream{"s_axis_"};
  axi::StreamPins<axi::ManagerRole, 64> m_stream{"m_axis_"};
  SC_CTOR(Bridge) {}
};

}  // namespace

TEST_CASE("the pins of a module's bundles have names of their own by the prefix of each") {
  // SystemC warns with W505 if two objects have the same name; here warnings throw.
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  Bridge bridge("bridge");
  std::set<std::string> names;
  for (sc_core::sc_object* port : bridge.get_child_objects()) names.insert(port->basename());
  CHECK(names.size() == bridge.get_child_objects().size());
  for (const char* name : {"s_axi_arvalid", "m_axi_wstrb", "m_axi_bresp", "s_axi_rlast", "s_axi_lite_awprot",
                           "m_axi_lite_rdata", "s_axis_tkeep", "m_axis_tvalid"})
    CHECK(names.count(name) == 1);
}

TEST_CASE("a checker clipped onto the wires of foreign hardware says what it does and at which edge") {
  test::Bench bench;
  using Wires = axi::Axi4Pins<axi::WiresRole, axi::Widths<64>>;
  axi::WireBundle<Wires> wires("wires");
  sc_core::sc_signal<bool> resetn("resetn", true);
  Foreign foreign("foreign");
  axi::Axi4Checker<axi::Widths<64>> checker("checker", axi::CheckerConfig{64});
  foreign.clk(bench.clock.clk());
  axi::bind(foreign.m, wires);
  checker.aclk(bench.clock.clk());
  checker.aresetn(resetn);
  axi::bind(checker.pins, wires);
  checker.findings().handler = [](const axi::Finding&) {};
  bench.run(20);
  const auto& found = checker.findings().all();
  REQUIRE(found.size() == 2);
  CHECK(found[0].rule == "ar_payload_changed");
  CHECK_THAT(found[0].text, Catch::Contains("addr changed"));
  CHECK(found[0].cycle == 6);  // written at edge 5, on the wire at 6
  CHECK(found[1].rule == "ar_valid_dropped");
  CHECK(found[1].cycle == 7);
}

TEST_CASE("a burst that the blocks behind the wires do not take is refused and not misread") {
  using W = axi::Widths<64>;
  test::Bench bench;
  axi::WireBundle<axi::ReadPins<axi::WiresRole, W>> wires("wires");
  sim::Stream<axi::ReadBurst> bursts("bursts");
  axi::FromPins<axi::ReadBurst, decltype(wires.ar)> adapter("adapter", wires.ar);
  test::Sink<axi::ReadBurst> sink("sink");
  adapter.out(bursts);
  sink.in(bursts);
  bench.at_each_edge([&](sim::Edge edge) {
    wires.ar.valid.write(true);
    wires.ar.size.write(3);
    wires.ar.len.write(edge < 10 ? 0 : 3);
    wires.ar.burst.write(edge < 10 ? 1 : 2);
  });
  CHECK_THROWS_WITH(bench.run(30), Catch::Contains("a burst of several beats that is not INCR"));
  CHECK(sink.count() > 0);
}

TEST_CASE("without a handler a finding is an error report of SystemC") {
  test::Bench bench;
  axi::WireBundle<axi::Axi4Pins<axi::WiresRole, axi::Widths<64>>> wires("wires");
  sc_core::sc_signal<bool> resetn("resetn", true);
  Foreign foreign("foreign");
  axi::Axi4Checker<axi::Widths<64>> checker("checker", axi::CheckerConfig{64});
  foreign.clk(bench.clock.clk());
  axi::bind(foreign.m, wires);
  checker.aclk(bench.clock.clk());
  checker.aresetn(resetn);
  axi::bind(checker.pins, wires);
  std::string text;
  try {
    bench.run(20);
  } catch (const sc_core::sc_report& report) {
    text = std::string(report.get_msg_type()) + " " + report.get_msg();
  }
  CHECK_THAT(text, Catch::Contains("checker ar_payload_changed: addr changed while waiting for ready, cycle 6"));
}

TEST_CASE("over wires every beat is pushed and popped at the edge of the undivided stream whatever stalls") {
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

}  // namespace fansim::pins_test
