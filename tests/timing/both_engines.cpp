// SPDX-License-Identifier: Apache-2.0
#include "timing/both_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/hash.h"
#include "compile/compile.h"
#include "systems/stream_machine.h"
#include "timing/stream_engine.h"

namespace fansim::test {

namespace {

using arch::LayerResult;

// The whole memory, not only what a layer says it wrote.
std::string hash_of(const std::uint8_t* ddr, std::size_t bytes) { return base::Fnv1a().add(ddr, bytes).text(); }

std::string first_difference(const LayerResult& clocked, const LayerResult& fast) {
  const auto differs = [&](const char* what, std::int64_t a, std::int64_t b) {
    return a == b ? "" : fmt::format("{}: {} differ: clocked {}, fast {}; ", clocked.name, what, a, b);
  };
  std::string text = differs("cycle counts", clocked.cycles, fast.cycles);
  for (int i = 0; i < arch::kBuckets; ++i) {
    const auto at = static_cast<std::size_t>(i);
    text += differs(arch::name(static_cast<arch::Bucket>(i)), clocked.buckets[at], fast.buckets[at]);
  }
  text += differs("bytes read", clocked.bytes_read, fast.bytes_read);
  text += differs("bytes written", clocked.bytes_written, fast.bytes_written);
  text += differs("macs", clocked.macs, fast.macs);
  if (text.empty() && clocked.output_hash != fast.output_hash) text = clocked.name + ": memory differs";
  return text;
}

}  // namespace

Comparison compare_engines(const network::Network& network, const arch::StreamConfig& config, bool values) {
  Comparison result;
  compile::Options options;
  options.values = values;
  auto compiled = compile::compile(network, config, options);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) {
    result.misfit = no->layer + ": " + no->reason;
    return result;
  }
  const auto& program = std::get<arch::Program>(compiled);
  const std::size_t bytes = program.memory.size();
  const auto look = [&](const arch::LayerPlan&, const std::uint8_t* ddr, LayerResult& layer) {
    if (values) layer.output_hash = hash_of(ddr, bytes);
  };
  timing::EngineOptions fast_options;
  fast_options.on_layer = look;
  fast_options.values = values;
  const std::vector<LayerResult> fast = timing::run_stream(config, program, fast_options);
  systems::MachineOptions clocked_options;
  clocked_options.on_layer = look;
  clocked_options.values = values;
  systems::StreamMachine machine(config, program, std::move(clocked_options));
  machine.run();
  if (machine.layers().size() != fast.size()) result.difference = "the engines ran different layers";
  for (std::size_t i = 0; i < fast.size() && result.difference.empty(); ++i) {
    result.difference = first_difference(machine.layers()[i], fast[i]);
    ++result.layers;
  }
  return result;
}

}  // namespace fansim::test
