// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/memory_path.h"

#include <catch2/catch.hpp>

#include <random>

#include "path_bench.h"

namespace fansim::memory_path_test {

using namespace benches;
using Catch::Detail::Approx;
using test::board;
using test::stream;

namespace {

const std::string kNoRefresh = "memory.trfc=0";

// Returns the latency of one burst at a time to one row, in cycles of the ports' clock.
double idle_latency(const PathConfig& config, std::int64_t burst) {
  const SteadyState state = find_steady_state(config, {{0, false, burst, burst, 0, 4096}});
  CHECK(state.steady);
  return state.rates[0].latency_cycles;
}

}  // namespace

TEST_CASE("a read on an idle path takes the sum of its latencies") {
  // Both clocks are equal, so that no crossing rounds: the controller runs at half the memory's 3200/3 MHz.
  const PathConfig config =
      board({"generator.outstanding=1", "clock_mhz=1600/3", "controller.latency=5", "controller.return_latency=7",
             "port.request_latency=3", "port.response_latency=4", kNoRefresh});
  // Asked for at a port's edge, which comes after the controller's own. +1: into the port, cut. +1: issued. +3: at the
  // controller's port, granted. +5: in the queue. Half a clock later the memory sees it, at the open row's edge: CL 15
  // and 4 clocks of data, 9.5 together with that half; rounded up by the controller's clock, +10. +7: at the
  // controller's port. +1: one beat. +4: at the port, where the next port's edge, the same instant, takes it.
  CHECK(idle_latency(config, 16) == Approx(1 + 1 + 3 + 5 + 10 + 7 + 1 + 4).margin(1e-9));
}

TEST_CASE("every latency of the path is one of the burst's") {
  const std::vector<std::string> usual{"generator.outstanding=1", "clock_mhz=1600/3", kNoRefresh};
  const auto more = [&](const std::string& setting) {
    std::vector<std::string> settings = usual;
    settings.push_back(setting);
    return idle_latency(board(settings), 16);
  };
  const PathConfig config = board(usual);
  const double latency = idle_latency(config, 16);
  CHECK(more("port.request_latency=" + std::to_string(config.port.request_latency + 9)) ==
        Approx(latency + 9).margin(1e-9));
  CHECK(more("port.response_latency=" + std::to_string(config.port.response_latency + 9)) ==
        Approx(latency + 9).margin(1e-9));
  CHECK(more("controller.latency=" + std::to_string(config.front.latency + 9)) == Approx(latency + 9).margin(1e-9));
  CHECK(more("controller.return_latency=" + std::to_string(config.front.return_latency + 9)) ==
        Approx(latency + 9).margin(1e-9));
}

TEST_CASE("a port without refresh and with enough in flight gives its width at its clock") {
  for (const bool write : {false, true})
    CHECK(find_steady_state(board({kNoRefresh}), {stream(0, write, 256)}).rates[0].mb_per_s ==
          Approx(16 * 300).epsilon(1e-3));
  CHECK(find_steady_state(board({kNoRefresh, "clock_mhz=100"}), {stream(0, false, 256)}).rates[0].mb_per_s ==
        Approx(16 * 100).epsilon(1e-3));
}

TEST_CASE("refresh takes its share of a memory that limits") {
  // A port of 512 bits at 300 MHz asks for more than the memory's 17.07 GB/s.
  const std::vector<std::string> wide{"data_bits=512",       "controller.data_bits=512",
                                      "port.read_issue=64",  "controller.read_issue=64",
                                      "port.read_fifo=4096", "memory.read_queue=64"};
  const auto rate = [&](const std::string& trfc) {
    std::vector<std::string> settings = wide;
    settings.push_back(trfc);
    return find_steady_state(board(settings), {stream(0, false, 1024)}).rates[0].mb_per_s;
  };
  const double without = rate(kNoRefresh);
  CHECK(without > 16000);
  CHECK(without < 17067);
  // 1664 of 8320 edges are 20 %; closing and opening the row add less than 2 %.
  const double with = rate("memory.trfc=1664");
  CHECK(with < 0.80 * without);
  CHECK(with > 0.78 * without);
}

TEST_CASE("ports behind one port of the controller share it") {
  // A controller's port of 32 bits at 1600/3 MHz carries 2133 MB/s.
  const PathConfig config = board({"controller.data_bits=32", kNoRefresh});
  const SteadyState both = find_steady_state(config, {stream(1, false, 256), stream(2, false, 256)});
  CHECK(both.rates[0].mb_per_s == Approx(1067).epsilon(0.01));
  CHECK(both.rates[1].mb_per_s == Approx(1067).epsilon(0.01));
  const SteadyState apart = find_steady_state(config, {stream(0, false, 256), stream(3, false, 256)});
  CHECK(apart.rates[0].mb_per_s == Approx(2133).epsilon(0.01));
  CHECK(apart.rates[1].mb_per_s == Approx(2133).epsilon(0.01));
}

TEST_CASE("what is in flight is throughput times latency") {
  for (const std::int64_t burst : {16, 80, 256, 4096}) {
    const SteadyState state = find_steady_state(board(), {stream(0, false, burst), stream(3, true, burst)});
    for (const Rate& rate : state.rates)
      CHECK(rate.mb_per_s / 300 / static_cast<double>(burst) * rate.latency_cycles ==
            Approx(rate.in_flight).epsilon(0.01));
  }
}

TEST_CASE("a generator with fewer bursts in flight gives proportionally less until the path is full") {
  const auto rate = [](int outstanding) {
    return find_steady_state(board({"generator.outstanding=" + std::to_string(outstanding), kNoRefresh}),
                             {stream(0, false, 64)})
        .rates[0]
        .mb_per_s;
  };
  CHECK(rate(2) == Approx(2 * rate(1)).epsilon(0.02));
  CHECK(rate(4) == Approx(4 * rate(1)).epsilon(0.03));
}

TEST_CASE("a write that finds one to the same column access waiting joins it") {
  const auto conflicts = [](const std::string& combining) {
    MemoryPath path(board({combining, kNoRefresh}), {stream(0, true, 16), stream(3, true, 16)});
    path.run(30000);
    return path.memory().row_hits + path.memory().row_misses + path.memory().row_conflicts;
  };
  CHECK(conflicts("controller.write_combining=true") < conflicts("controller.write_combining=false"));
}

TEST_CASE("the same case gives the same figures") {
  const auto run = [] { return find_steady_state(board(), {stream(0, false, 80), stream(1, true, 512)}); };
  const SteadyState a = run(), b = run();
  CHECK(a.from == b.from);
  for (std::size_t i = 0; i < a.rates.size(); ++i) {
    CHECK(a.rates[i].mb_per_s == b.rates[i].mb_per_s);
    CHECK(a.rates[i].latency_cycles == b.rates[i].latency_cycles);
  }
}

TEST_CASE("random traffic moves whole bursts and keeps its limits and starves nobody") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); };
  for (int round = 0; round < 20; ++round) {
    const int outstanding = pick(1, 64);
    std::vector<Traffic> traffic;
    for (int port = 0; port < 4; ++port)
      for (const bool write : {false, true}) {
        if (pick(0, 2) == 0) continue;
        Traffic one = stream(port, write, 16 * pick(1, 256));
        one.stride_bytes += 16 * pick(0, 512);
        traffic.push_back(one);
      }
    MemoryPath path(board({"generator.outstanding=" + std::to_string(outstanding), "generator.start_gap=10",
                           "clock_mhz=" + std::to_string(pick(50, 500))}),
                    traffic);
    std::vector<GeneratorTotals> before = path.totals();
    for (int step = 1; step <= 3; ++step) {
      path.run(step * 20000);
      const std::vector<GeneratorTotals> after = path.totals();
      for (std::size_t i = 0; i < traffic.size(); ++i) {
        CHECK(after[i].bytes == after[i].bursts * traffic[i].burst_bytes);
        CHECK(after[i].in_flight - before[i].in_flight <= std::int64_t{20000} * outstanding);
        CHECK(after[i].bursts > before[i].bursts);
      }
      before = after;
    }
  }
}

}  // namespace fansim::memory_path_test
