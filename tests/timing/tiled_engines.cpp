// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compile/tiled/compile_tiled.h"
#include "compile/tiled/engine_choice.h"
#include "network/network.h"
#include "network/quantise.h"
#include "systems/tiled_machine.h"
#include "timing/tiled/tiled_engine.h"
#include "timing/tiled_case.h"

namespace fansim::test {

namespace {

std::string difference(const arch::LayerResult& clocked, const arch::LayerResult& fast) {
  std::string text;
  const base::Cycles sum = std::accumulate(fast.buckets.begin(), fast.buckets.end(), base::Cycles{0});
  if (sum != fast.cycles) text += fmt::format("{}: buckets sum to {} of {} cycles; ", fast.name, sum, fast.cycles);
  const auto check = [&](const std::string& what, std::int64_t a, std::int64_t b) {
    if (a != b) text += fmt::format("{}: {} differ: clocked {}, fast {}; ", clocked.name, what, a, b);
  };
  check("cycles", clocked.cycles, fast.cycles);
  for (int i = 0; i < arch::kBuckets; ++i) {
    const auto at = static_cast<std::size_t>(i);
    check(arch::name(static_cast<arch::Bucket>(i)), clocked.buckets[at], fast.buckets[at]);
  }
  check("bytes read", clocked.bytes_read, fast.bytes_read);
  check("bytes written", clocked.bytes_written, fast.bytes_written);
  check("macs", clocked.macs, fast.macs);
  check("numbers of stages", static_cast<std::int64_t>(clocked.stages.size()),
        static_cast<std::int64_t>(fast.stages.size()));
  for (std::size_t i = 0; i < std::min(clocked.stages.size(), fast.stages.size()); ++i) {
    const arch::StageResult &a = clocked.stages[i], &b = fast.stages[i];
    if (a.name != b.name) text += fmt::format("{}: stage {} is {}; ", clocked.name, a.name, b.name);
    check(a.name + " tiles", a.tiles, b.tiles);
    check(a.name + " beats", a.beats, b.beats);
    check(a.name + " cycles", a.cycles, b.cycles);
  }
  return text;
}

}  // namespace

std::string compare_tiled(const arch::TiledConfig& config, const std::string& network_file, int& layers) {
  const arch::QuantisationConfig& q = config.quantisation;
  const arith::QuantisationMethods methods;
  const arith::Grain grain = q.grain == arch::MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
  network::Network network = network::load_network(network_file, {});
  network::quantise(network, {methods.find(q.method), q.weight_bits, q.activation_bits, grain, config.quantiser}, {});
  compile::declare_sum_order(network, config);
  compile::Options options;
  options.values = false;
  auto compiled = compile::compile(network, config, options);
  if (std::holds_alternative<compile::Unschedulable>(compiled)) return layers = 0, "";
  const arch::Program& program = std::get<arch::Program>(compiled);
  const std::vector<arch::LayerResult> fast = timing::run_tiled(config, program);
  systems::MachineOptions timing_only;
  timing_only.values = false;
  systems::TiledMachine machine(config, program, std::move(timing_only));
  machine.run();
  layers = static_cast<int>(fast.size());
  if (machine.layers().size() != fast.size()) return "the engines ran different layers";
  for (std::size_t i = 0; i < fast.size(); ++i) {
    const std::string text = difference(machine.layers()[i], fast[i]);
    if (!text.empty()) return text;
  }
  return "";
}

}  // namespace fansim::test
