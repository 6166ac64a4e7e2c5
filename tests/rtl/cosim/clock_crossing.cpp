// SPDX-License-Identifier: Apache-2.0
#include "axi/clock_crossing.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cosim/bits.h"
#include "cosim/session.h"
#include "twins.h"

// Lock-step over two clocks: the SystemC crossing runs first and every edge of either clock is written down, then each
// twin is led over the same edges at the same instants.
namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;
constexpr sim::Edge kEdges = 3000;  // of the fastest clock

struct Item {
  std::uint32_t value = 0;
};

// A stream just before an edge, and whether it is popped there.
struct Snapshot {
  bool valid, full;
  std::uint32_t value;
  std::int64_t pops;
};

class Recorder final : public sim::Module {
 public:
  Recorder(const sc_core::sc_module_name& name, const sim::Stream<Item>& stream) : Module(name), stream_(stream) {}
  std::vector<Snapshot> edges;  // from the first on
  bool popped(std::size_t edge) const { return edges[edge + 1].pops > edges[edge].pops; }

 private:
  void step() override {
    const int occupancy = stream_.occupancy();
    edges.push_back({occupancy > 0, occupancy == 2, occupancy > 0 ? stream_.front().value : 0, stream_.pops()});
  }
  const sim::Stream<Item>& stream_;
};

struct Lane {
  Lane(const std::string& name, const contract::ClockConverterConfig& config, sim::ClockDomain& from,
       sim::ClockDomain& to, int in_stall, int out_stall)
      : in((name + "_in").c_str()),
        out((name + "_out").c_str()),
        before((name + "_before").c_str(), in),
        after((name + "_after").c_str(), out),
        source((name + "_source").c_str(), {}, in_stall, 3),
        crossing((name + "_crossing").c_str(), config, from, to),
        sink((name + "_sink").c_str(), out_stall, 4) {
    before.clock(from);
    source.clock(from);
    after.clock(to);
    sink.clock(to);
    source.out(in);
    crossing.in()(in);
    crossing.out()(out);
    sink.in(out);
    base::Random random(1, name);
    for (int i = 0; i < kEdges; ++i) source.add({static_cast<std::uint32_t>(random.next())});
  }
  sim::Stream<Item> in, out;
  Recorder before, after;
  test::Source<Item> source;
  axi::ClockCrossing<Item> crossing;
  test::Sink<Item> sink;
};

// Replays the lane's edges on a twin; returns the first difference, or an empty text.
template <class Model>
std::string replay(const Lane& lane, int fault) {
  VerilatedContext context;
  context.randReset(2);
  Model twin{&context};
  const auto edge = [&](bool source, bool destination) {
    twin.s_clk = source;
    twin.m_clk = destination;
    twin.eval();
    twin.s_clk = twin.m_clk = 0;
    twin.eval();
  };
  twin.fault = static_cast<CData>(fault);
  twin.in_valid = 0;
  twin.out_ready = 0;
  twin.rst = 1;
  for (int i = 0; i < 8; ++i) edge(true, true);
  twin.rst = 0;

  const base::Rational from = lane.before.domain().mhz, to = lane.after.domain().mhz;
  std::size_t s = 0, m = 0;
  while (s + 1 < lane.before.edges.size() && m + 1 < lane.after.edges.size()) {
    // Edge n of a clock, counted from 1, is at n / frequency.
    const auto at_s = static_cast<std::int64_t>(s + 1) * from.denominator * to.numerator;
    const auto at_m = static_cast<std::int64_t>(m + 1) * to.denominator * from.numerator;
    const bool source = at_s <= at_m, destination = at_m <= at_s;
    if (source) {
      twin.in_valid = lane.before.edges[s].valid;
      twin.in_data = lane.before.edges[s].value;
    }
    if (destination) twin.out_ready = lane.after.popped(m);
    twin.eval();
    if (source && (twin.in_valid && twin.in_ready) != lane.before.popped(s))
      return fmt::format("source edge {}: in popped is {} in SystemC", s + 1, lane.before.popped(s));
    if (destination) {
      const Snapshot& shown = lane.after.edges[m];
      if (twin.out_valid != shown.valid || twin.out_full != shown.full || (shown.valid && twin.out_data != shown.value))
        return fmt::format("destination edge {}: out is {} {} {:#x} in SystemC, {} {} {:#x} in the twin", m + 1,
                           shown.valid, shown.full, shown.value, twin.out_valid, twin.out_full, twin.out_data);
    }
    edge(source, destination);
    s += source;
    m += destination;
  }
  return {};
}

using Replay = std::string (*)(const Lane&, int);

}  // namespace
}  // namespace fansim::cosim

// The arguments are block and summary file.
int sc_main(int, char* argv[]) {
  using namespace fansim;
  using namespace fansim::cosim;
  test::Bench bench({1000, 3});
  sim::ClockDomain* const clocks[] = {&bench.scheduler.domain("port", {1000, 3}),
                                      &bench.scheduler.domain("pl", {200, 1}),
                                      &bench.scheduler.domain("fabric", {250, 1})};
  std::vector<std::pair<std::unique_ptr<Lane>, Replay>> lanes;
  std::vector<std::string> parameters;
  const auto add = [&](const char* text, Replay twin) {
    parameters.emplace_back(text);
    const Parameters p(text);
    for (sim::ClockDomain* from : clocks)
      for (sim::ClockDomain* to : clocks)
        for (auto [in_stall, out_stall] : {std::pair{0, 0}, {50, 0}, {0, 50}, {30, 30}})
          lanes.emplace_back(std::make_unique<Lane>(fmt::format("l{}", lanes.size()),
                                                    contract::ClockConverterConfig{p["STAGES"], p["DEPTH"]}, *from, *to,
                                                    in_stall, out_stall),
                             twin);
  };
#define ADD(Model, text) add(text, replay<Model>);
  FOR_EACH_TWIN(ADD)
#undef ADD
  bench.run(kEdges);

  std::int64_t cycles = 0, beats = 0;
  std::set<int> caught;
  for (const auto& [lane, twin] : lanes) {
    const std::string difference = twin(*lane, 0);
    if (!difference.empty()) {
      fmt::print(stderr, "{} ({} to {} MHz): {}\n", lane->before.name(), lane->before.domain().mhz.text(),
                 lane->after.domain().mhz.text(), difference);
      return 1;
    }
    cycles += static_cast<std::int64_t>(lane->before.edges.size() + lane->after.edges.size());
    beats += lane->out.pops();
    for (int fault = 1; fault <= kFaults; ++fault)
      if (!twin(*lane, fault).empty()) caught.insert(fault);
  }
  std::ofstream(argv[2]) << nlohmann::json{{"block", argv[1]},          {"parameters", parameters},
                                           {"cycles", cycles},          {"beats", beats},
                                           {"faults_planted", kFaults}, {"faults_caught", caught.size()}}
                                .dump(2)
                         << '\n';
  fmt::print("{}: {} edges with {} output beats agree, {} of {} faults caught\n", argv[1], cycles, beats, caught.size(),
             kFaults);
  return caught.size() == kFaults ? 0 : 1;
}
