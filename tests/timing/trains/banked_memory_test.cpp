// SPDX-License-Identifier: Apache-2.0
// The banked memory with trains against the same memory that takes one event at a time.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "rules/ddr_bench.h"
#include "timing/trains/memory.h"

namespace fansim::trains_memory_test {

using timing::Edge;

namespace {

struct Burst {
  std::uint32_t address;
  int beats;
  Edge gap;  // at least, behind the answer that makes room for it
};

struct Traffic {
  std::vector<Burst> reads, writes;
  int outstanding = 1;
};

struct Case {
  contract::DdrConfig config;
  int beat_bytes = 16;
  base::Rational port_mhz{250, 1};
  std::vector<Traffic> ports;
};

// A manager at a port. It pushes a burst as soon as fewer than so many are outstanding, reads and writes apart.
class Manager final : public timing::ReadSink, public timing::WriteSource {
 public:
  Manager(timing::Memory& memory, int port, const Traffic& traffic)
      : memory_(memory), port_(port), traffic_(traffic), outstanding_(static_cast<std::size_t>(traffic.outstanding)) {}

  Edge data(int beats, Edge from) override {
    ++calls;
    for (int i = 0; i < beats; ++i) {
      beat_edges.push_back(beat_edges.empty() ? from : std::max(from, beat_edges.back() + 1));
      if (++sent_ < traffic_.reads[read_ends_.size()].beats) continue;
      sent_ = 0;
      read_ends_.push_back(beat_edges.back());
    }
    return beat_edges.back();
  }
  void take(Edge from) override { taken_ = from; }
  void respond(Edge from) override {
    responses.push_back(std::max(from, responses.empty() ? from : responses.back() + 1));
  }

  void push() {
    for (; may_push(traffic_.reads, reads_, read_ends_); ++reads_) {
      const Burst& burst = traffic_.reads[reads_];
      read_edge_ = accepted(burst, read_edge_, reads_, read_ends_);
      memory_.read(port_, *this, read_edge_, burst.address, burst.beats);
    }
    for (; may_push(traffic_.writes, writes_, responses); ++writes_) {
      const Burst& burst = traffic_.writes[writes_];
      write_edge_ = accepted(burst, write_edge_, writes_, responses);
      memory_.write(port_, *this, write_edge_, burst.address, burst.beats);
      const Edge popped = std::max(taken_, beats_popped_);
      const int first = (burst.beats + 1) / 2;
      memory_.written(port_, first, popped);
      if (burst.beats > first) memory_.written(port_, burst.beats - first, popped + first + burst.gap % 7);
      beats_popped_ = popped + burst.beats + burst.gap % 7;
    }
  }

  std::vector<Edge> beat_edges, responses;
  int calls = 0;

 private:
  bool may_push(const std::vector<Burst>& bursts, std::size_t next, const std::vector<Edge>& answers) const {
    return next < bursts.size() && next < answers.size() + outstanding_;
  }
  Edge accepted(const Burst& burst, Edge before, std::size_t next, const std::vector<Edge>& answers) const {
    return std::max(before + 1, (next < outstanding_ ? 0 : answers[next - outstanding_] + 1) + burst.gap);
  }

  timing::Memory& memory_;
  const int port_;
  const Traffic& traffic_;
  const std::size_t outstanding_;
  std::size_t reads_ = 0, writes_ = 0;  // pushed
  std::vector<Edge> read_ends_;
  int sent_ = 0;  // beats of the oldest read
  Edge read_edge_ = 0, write_edge_ = 0, taken_ = 0, beats_popped_ = 0;
};

using Wait = std::tuple<Edge, Edge, rules::ReadWait>;

struct Outcome {
  std::vector<std::vector<Edge>> beats, responses;  // by port
  std::vector<std::vector<Wait>> waits;
  int calls = 0;
};

Outcome run(const Case& c, timing::Memory& memory) {
  std::vector<Manager> managers;
  managers.reserve(c.ports.size());
  for (std::size_t port = 0; port < c.ports.size(); ++port)
    managers.emplace_back(memory, static_cast<int>(port), c.ports[port]);
  do {
    for (Manager& manager : managers) manager.push();
  } while (memory.next());
  Outcome outcome;
  for (std::size_t port = 0; port < managers.size(); ++port) {
    outcome.beats.push_back(managers[port].beat_edges);
    outcome.responses.push_back(managers[port].responses);
    outcome.calls += managers[port].calls;
    std::vector<Wait>& waits = outcome.waits.emplace_back();
    for (const auto& wait : memory.read_waits(static_cast<int>(port)).all())
      waits.emplace_back(wait.span.from, wait.span.to, wait.why);
  }
  return outcome;
}

// Bursts mostly one behind the other, or anywhere. As AXI demands, none crosses a boundary of 4 KiB.
std::vector<Burst> random_bursts(base::Random& random, int count, int beat_bytes) {
  std::vector<Burst> bursts;
  const int longest = random.chance(50) ? 64 : 16, lazy = random.chance(30) ? 30 : 2;
  const int jumps = random.chance(20) ? 60 : 4;
  std::uint32_t address = 0;
  const auto bytes = static_cast<std::uint32_t>(beat_bytes);
  for (int i = 0; i < count; ++i) {
    if (random.chance(jumps)) address = static_cast<std::uint32_t>(random.uniform(0, 1 << 20)) * bytes;
    const int left = (4096 - static_cast<int>(address % 4096)) / beat_bytes;
    const int beats = std::min(left, random.chance(70) ? longest : random.uniform(1, longest));
    bursts.push_back({address, beats, random.chance(lazy) ? random.uniform(1, 400) : 0});
    address += static_cast<std::uint32_t>(beats) * bytes;
  }
  return bursts;
}

Case random_case(base::Random& random) {
  Case c;
  c.config.fidelity = contract::DdrFidelity::banked;
  c.config.arbitration = random.chance(50) ? contract::DdrArbitration::round_robin : contract::DdrArbitration::priority;
  const bool x16 = random.chance(50);
  const std::string mapping = random.chance(30) ? "zcu102_rev_1_0" : x16 ? "preset" : "zcu102_rev_1_1";
  c.config.part = test::ddr_part(
      {"mapping=" + mapping, "trefi=" + std::to_string(random.uniform(1500, 8320)),
       "trfc=" + std::to_string(random.chance(20) ? 0 : 276), "read_queue=" + std::to_string(random.uniform(1, 40)),
       "starvation_bound=" + std::to_string(random.uniform(16, 400)), "tccd_l=" + std::to_string(random.uniform(4, 12)),
       std::string("posted_writes=") + (random.chance(50) ? "true" : "false"),
       std::string("page_policy=") + (random.chance(80) ? "open" : "adaptive")},
      x16 ? "zcu102_ddr4_2133" : "ddr4_2133_x8_4gb");
  c.beat_bytes = 4 << random.uniform(0, 4);
  const base::Rational clocks[] = {{250, 1}, {1000, 3}, {100, 1}};
  c.port_mhz = clocks[random.uniform(0, 2)];
  c.ports.resize(static_cast<std::size_t>(random.uniform(1, 3)));
  for (Traffic& traffic : c.ports) {
    traffic.outstanding = random.uniform(1, 8);
    traffic.reads = random_bursts(random, random.chance(90) ? 120 : 0, c.beat_bytes);
    traffic.writes = random_bursts(random, random.chance(50) ? random.uniform(1, 60) : 0, c.beat_bytes);
  }
  return c;
}

}  // namespace

TEST_CASE("banked memory with trains gives every beat and response and wait of one event at a time") {
  std::vector<std::uint64_t> seeds(300);
  std::iota(seeds.begin(), seeds.end(), 1);
  // In these, reads of two groups take turns, and one of another group fits before a command that is already decided.
  seeds.insert(seeds.end(), {2350, 2655, 4843, 10541});
  int calls_one_by_one = 0, calls_at_once = 0;
  for (const std::uint64_t seed : seeds) {
    CAPTURE(seed);
    base::Random random(seed);
    const Case c = random_case(random);
    const auto ports = static_cast<int>(c.ports.size());
    const Outcome one_by_one = run(c, *timing::make_memory(c.config, c.beat_bytes, c.port_mhz, ports));
    const Outcome at_once = run(c, *timing::trains::make_memory(c.config, c.beat_bytes, c.port_mhz, ports));
    REQUIRE((at_once.beats == one_by_one.beats));
    REQUIRE((at_once.responses == one_by_one.responses));
    REQUIRE((at_once.waits == one_by_one.waits));
    calls_one_by_one += one_by_one.calls;
    calls_at_once += at_once.calls;
  }
  CHECK(5 * calls_at_once < 4 * calls_one_by_one);  // it does decide many beats at once
}

}  // namespace fansim::trains_memory_test
