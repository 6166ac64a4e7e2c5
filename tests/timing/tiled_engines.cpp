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

// The memory after each layer.
using Memories = std::vector<std::vector<std::uint8_t>>;

std::string difference(const std::string& layer, const std::vector<std::uint8_t>& clocked,
                       const std::vector<std::uint8_t>& fast) {
  const auto [a, b] = std::mismatch(clocked.begin(), clocked.end(), fast.begin(), fast.end());
  if (a == clocked.end() && b == fast.end()) return "";
  if (a == clocked.end() || b == fast.end()) return layer + ": memories of different sizes";
  return fmt::format("{}: byte {:#x} differs: clocked {:#x}, fast {:#x}", layer, a - clocked.begin(), *a, *b);
}

arch::Program program_of(const arch::TiledConfig& config, const std::string& network_file, bool values) {
  const arch::QuantisationConfig& q = config.quantisation;
  const arith::QuantisationMethods methods;
  const arith::Grain grain = q.grain == arch::MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
  network::LoadOptions load;
  load.values = values;
  network::Network network = network::load_network(network_file, load);
  network::quantise(network, {methods.find(q.method), q.weight_bits, q.activation_bits, grain, config.quantiser}, load);
  compile::declare_sum_order(network, config);
  compile::Options options;
  options.values = values;
  auto compiled = compile::compile(network, config, options);
  if (std::holds_alternative<compile::Unschedulable>(compiled)) return {};
  return std::get<arch::Program>(std::move(compiled));
}

}  // namespace

std::string compare_tiled(const arch::TiledConfig& config, const std::string& network_file, bool values, int& layers) {
  const arch::Program program = program_of(config, network_file, values);
  layers = 0;
  if (program.ops.empty()) return "";
  const auto keep_in = [&](Memories& kept) {
    return [&](const arch::LayerPlan&, const std::uint8_t* ddr, arch::LayerResult&) {
      if (values) kept.emplace_back(ddr, ddr + program.memory.size());
    };
  };
  Memories fast_memories, clocked_memories;
  timing::EngineOptions fast_options;
  fast_options.values = values;
  fast_options.on_layer = keep_in(fast_memories);
  const std::vector<arch::LayerResult> fast = timing::run_tiled(config, program, fast_options);
  systems::MachineOptions options;
  options.values = values;
  options.on_layer = keep_in(clocked_memories);
  systems::TiledMachine machine(config, program, std::move(options));
  machine.run();
  layers = static_cast<int>(fast.size());
  if (machine.layers().size() != fast.size() || clocked_memories.size() != fast_memories.size())
    return "the engines ran different layers";
  for (std::size_t i = 0; i < fast.size(); ++i) {
    std::string text = difference(machine.layers()[i], fast[i]);
    if (values) text += difference(fast[i].name, clocked_memories[i], fast_memories[i]);
    if (!text.empty()) return text;
  }
  return "";
}

}  // namespace fansim::test
