// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/load_latency.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "accelerators/tiled/timing/read_stream.h"

namespace fansim::tiled {
namespace {

constexpr timing::Edge kMostAlignments = 1024;

timing::Edge latency_at(timing::Edge pushed, const Config& config) {
  const auto memory = timing::make_memory(config.ddr, config.port.beat_bytes(), config.port_mhz, 1);
  const PathConfig path_config(config, config.port.data_bits, 1, 1);
  ComputedPath<ReadPath, ReadStream> follower(ReadPath(path_config, 0));
  bool stirred = false;
  ReadStream path(path_config, follower, *memory, 0, stirred);
  ReadExtent run;
  run.beats = 1;
  run.last = true;
  path.push(run);
  path.begin(pushed);
  while (path.ends().empty()) {
    if (!path.advance() && !memory->next()) break;
  }
  return path.ends().front() - pushed - 1;
}

timing::Edge least_over_alignments(Config config) {
  contract::DdrConfig& ddr = config.ddr;
  if (ddr.fidelity != contract::DdrFidelity::fixed) ddr.read_latency = 0;
  ddr.fidelity = contract::DdrFidelity::fixed;
  ddr.refresh_cycles = 0;
  ddr.data_bits = 0;
  ddr.share = 1;
  // After so many edges of its own the fabric's clock is aligned with the port's as before.
  const base::Rational &fabric = config.clock_mhz, &port = config.port_mhz;
  const std::int64_t numerator = fabric.numerator * port.denominator;
  const timing::Edge alignments = numerator / std::gcd(numerator, fabric.denominator * port.numerator);
  timing::Edge least = timing::kNever;
  for (timing::Edge pushed = 0; pushed < std::min(alignments, kMostAlignments); ++pushed)
    least = std::min(least, latency_at(pushed, config));
  // Another alignment can shorten each of the two crossings by one edge.
  return alignments > kMostAlignments ? least - 2 : least;
}

}  // namespace

timing::Edge least_load_latency(const Config& c) {
  const bool fixed = c.ddr.fidelity == contract::DdrFidelity::fixed;
  const std::tuple key(c.clock_mhz.numerator, c.clock_mhz.denominator, c.port_mhz.numerator, c.port_mhz.denominator,
                       c.clock_converter.sync_stages, c.port.data_bits, fixed ? int{c.ddr.read_latency} : 0);
  static std::mutex mutex;
  static std::map<std::decay_t<decltype(key)>, timing::Edge> latencies;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [found, added] = latencies.try_emplace(key, 0);
  if (added) found->second = least_over_alignments(c);
  return found->second;
}

}  // namespace fansim::tiled
