// SPDX-License-Identifier: Apache-2.0
#include "timing/both_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/hash.h"
#include "cli/accelerator.h"
#include "compile/compile.h"

namespace fansim::test {

namespace {

std::string first_difference(const arch::LayerResult& clocked, const arch::LayerResult& fast) {
  std::string text;
  const base::Cycles sum = std::accumulate(fast.buckets.begin(), fast.buckets.end(), base::Cycles{0});
  if (sum != fast.cycles) text += fmt::format("{}: buckets sum to {} of {} cycles; ", fast.name, sum, fast.cycles);
  const auto check = [&](const std::string& what, std::int64_t a, std::int64_t b) {
    if (a != b) text += fmt::format("{}: {} differ: clocked {}, fast {}; ", clocked.name, what, a, b);
  };
  check("cycle counts", clocked.cycles, fast.cycles);
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
  if (text.empty() && clocked.output_hash != fast.output_hash) text = clocked.name + ": memory differs";
  return text;
}

template <class Config>
Comparison compare(const std::string& network_file, const Config& config, bool values) {
  Comparison result;
  network::LoadOptions load;
  load.values = values;
  network::Network network = network::load_network(network_file, load);
  cli::prepare(network, config, load);
  compile::Options options;
  options.values = values;
  auto compiled = compile::compile(network, config, options);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) {
    result.misfit = no->layer + ": " + no->reason;
    return result;
  }
  const auto& program = std::get<arch::Program>(compiled);
  // The whole memory, not only what a layer says it wrote.
  const auto look = [&](const arch::LayerPlan&, const std::uint8_t* ddr, arch::LayerResult& layer) {
    if (values) layer.output_hash = base::Fnv1a().add(ddr, program.memory.size()).text();
  };
  const cli::Engines engines = cli::engines_of(config);
  timing::EngineOptions fast_options;
  fast_options.on_layer = look;
  fast_options.values = values;
  const std::vector<arch::LayerResult> fast = engines.fast(program, fast_options);
  systems::MachineOptions clocked_options;
  clocked_options.on_layer = look;
  clocked_options.values = values;
  const auto machine = engines.clocked(program, std::move(clocked_options));
  machine->run();
  if (machine->layers().size() != fast.size()) result.difference = "the engines ran different layers";
  for (std::size_t i = 0; i < fast.size() && result.difference.empty(); ++i) {
    result.difference = first_difference(machine->layers()[i], fast[i]);
    ++result.layers;
  }
  return result;
}

}  // namespace

Comparison compare_engines(const std::string& network_file, const arch::AcceleratorConfig& config, bool values) {
  return std::visit([&](const auto& c) { return compare(network_file, c, values); }, config);
}

}  // namespace fansim::test
