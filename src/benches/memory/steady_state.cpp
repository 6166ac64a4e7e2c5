// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/steady_state.h"

#include <algorithm>
#include <cmath>

#include "benches/memory/memory_path.h"

namespace fansim::benches {
namespace {

constexpr double kAgree = 1e-3;
// The first window has this number of refresh intervals. Every window is a whole number of intervals, so that one
// refresh more or less has little effect.
constexpr std::int64_t kFirstIntervals = 8;
constexpr std::int64_t kMostIntervals = 128;

std::int64_t cycles_of(const PathConfig& config, std::int64_t intervals) {
  const double memory = static_cast<double>(intervals * config.memory.trefi);
  return std::llround(memory * config.clock_mhz.value() / config.memory.clock_mhz.value());
}

Rate rate_of(const PathConfig& config, const GeneratorTotals& begin, const GeneratorTotals& end, std::int64_t cycles) {
  const auto n = static_cast<double>(cycles);
  Rate rate;
  rate.mb_per_s = static_cast<double>(end.bytes - begin.bytes) / n * config.clock_mhz.value();
  rate.in_flight = static_cast<double>(end.in_flight - begin.in_flight) / n;
  const std::int64_t bursts = end.bursts - begin.bursts;
  if (bursts > 0) rate.latency_cycles = static_cast<double>(end.latency - begin.latency) / static_cast<double>(bursts);
  return rate;
}

bool agree(double a, double b) { return std::abs(a - b) <= kAgree * std::max(a, b); }

bool agree(const std::vector<Rate>& a, const std::vector<Rate>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Rate& x, const Rate& y) {
    return agree(x.mb_per_s, y.mb_per_s) && agree(x.latency_cycles, y.latency_cycles);
  });
}

}  // namespace

SteadyState find_steady_state(const PathConfig& config, const std::vector<Traffic>& traffic,
                              const std::function<void()>& interrupt) {
  MemoryPath path(config, traffic);
  SteadyState result;
  std::vector<GeneratorTotals> begin = path.totals();
  for (std::int64_t intervals = kFirstIntervals; intervals <= kMostIntervals; intervals *= 2) {
    interrupt();
    const std::int64_t until = cycles_of(config, intervals);
    const std::int64_t from = result.from + result.cycles;
    path.run(until);
    const std::vector<GeneratorTotals> end = path.totals();
    std::vector<Rate> rates;
    for (std::size_t i = 0; i < end.size(); ++i) rates.push_back(rate_of(config, begin[i], end[i], until - from));
    result.steady = agree(rates, result.rates);
    result.rates = std::move(rates);
    result.from = from;
    result.cycles = until - from;
    if (result.steady) break;
    begin = end;
  }
  return result;
}

}  // namespace fansim::benches
