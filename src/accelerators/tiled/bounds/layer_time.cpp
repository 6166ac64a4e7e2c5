// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/bounds/layer_time.h"

#include "accelerators/tiled/compile/layer_jobs.h"
#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/replay/replayed_layer.h"
#include "base/units.h"
#include "contract/host_steps.h"

namespace fansim::tiled {

namespace {

// Adds the stages' ends of the paths.
void add_paths(const Config& c, accelerators::KeyBytes& bytes) {
  for (const int value : {c.quantisation.weight_bits, c.quantisation.activation_bits, c.float_sum() ? 1 : 0})
    bytes.add(std::int64_t{value});
  bytes.block(c.load);
  bytes.block(c.store);
  bytes.block(c.clock_converter);
}

}  // namespace

std::vector<int> timed_layers(const network::Network& network, const Config& config) {
  return compile::Fusion(network, {}, fused_kinds(config)).running();
}

bool gaps_reach(const Config& c) { return c.load.gap > c.host.layer_setup; }

std::string engine_key(const Config& c, int engine) {
  accelerators::KeyBytes bytes;
  bytes.add(std::int64_t{engine});
  bytes.clock(c.clock_mhz);
  bytes.clock(c.port_mhz);
  bytes.block(c.quantisation);
  bytes.block(c.quantiser);
  WeightStoreConfig weights = c.weights;
  if (engine == Config::kFc) {
    bytes.block(c.fc);
    weights = {};
    weights.fc_kib = c.weights.fc_kib;
  } else {
    bytes.block(c.conv);
    bytes.block(c.first);
    weights.fc_kib = {};
  }
  bytes.block(weights);
  bytes.block(c.load);
  bytes.block(c.store);
  bytes.block(c.clock_converter);
  bytes.block(c.port);
  bytes.memory(c.ddr);
  bytes.block(c.host);
  return bytes.take();
}

// Some properties need no place in the key. The sizes of stores, and where weights are kept, are visible in the job's
// tiles; where MACs are made is visible in their latency; the meaning of codes does not affect time.
std::string timing_key(const Config& c, const contract::Program& program, const accelerators::Gaps& gaps) {
  accelerators::KeyBytes bytes;
  bytes.steps(program);
  bytes.clock(c.clock_mhz);
  bytes.clock(c.port_mhz);
  for (const contract::LayerPlan& plan : program.layers) {
    const std::vector<TiledJob>& jobs = layer_jobs_of(plan).jobs;
    if (jobs.empty()) continue;
    const int engine = jobs.front().engine;
    const EngineConfig& e = c.engine(engine);
    for (const int value : {engine, e.tm, e.tn, e.halves(), e.latency(c.float_sum())}) bytes.add(std::int64_t{value});
    if (engine != Config::kFc) bytes.add(std::int64_t{c.weights.halves()});
  }
  add_paths(c, bytes);
  for (const int value : {c.port.data_bits, c.port.burst_beats, c.port.outstanding, int{c.host.register_write},
                          int{c.host.interrupt}, int{c.host.layer_setup}})
    bytes.add(std::int64_t{value});
  bytes.memory(c.ddr);
  bytes.gaps(gaps);
  return bytes.take();
}

std::string paths_key(const Config& c) {
  accelerators::KeyBytes bytes;
  bytes.clock(c.clock_mhz);
  bytes.clock(c.port_mhz);
  add_paths(c, bytes);
  for (const int value : {c.port.data_bits, c.port.burst_beats, c.port.outstanding, static_cast<int>(c.ddr.fidelity),
                          int{c.ddr.write_latency}})
    bytes.add(std::int64_t{value});
  return bytes.take();
}

contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps) {
  PathTables fresh;
  return time_layer(config, program, gaps, fresh);
}

// The next layer begins where the two clocks meet again.
contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps,
                                 PathTables& tables) {
  if (tables.full()) tables = PathTables();
  std::size_t at = 0;
  contract::LayerSteps layer;
  if (!contract::next_layer(program, at, layer)) return {};  // a concatenation by placement
  TiledGaps edges{accelerators::edge_of(gaps.inputs), accelerators::edge_of(gaps.weights)};
  contract::LayerResult result = time_tiled_layer(config, program, layer, edges, tables);
  const timing::Edge idle = base::round_up(result.cycles, timing::Edge{layer.align}) - result.cycles;
  gaps.inputs = accelerators::reaching(edges.inputs - idle, config.host);
  gaps.weights = accelerators::reaching(edges.weights - idle, config.host);
  return result;
}

}  // namespace fansim::tiled
