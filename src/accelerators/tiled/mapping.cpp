// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/mapping.h"

#include <algorithm>

#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/config/load_order.h"
#include "accelerators/tiled/config/packing.h"
#include "accelerators/tiled/config/tile_nest.h"

namespace fansim::tiled {
namespace {

using contract::add_bytes;

// Returns the whole bytes that hold `values` values.
std::int64_t bytes_of(std::int64_t values, const Encoding& encoding) {
  return base::ceil_div(values * encoding.value_bits, std::int64_t{8});
}

std::int64_t loaded(MapExtents runs, const Encoding& encoding) {
  std::int64_t beats = 0;
  while (!runs.done()) beats += runs.next().beats;
  return beats * encoding.beat_bytes();
}

std::int64_t loaded_inputs(const TiledJob& job, const Config& config) {
  std::int64_t bytes = 0;
  for (InputOrder order(job, config); !order.done();) bytes += loaded(order.next(), config.input_encoding());
  return bytes;
}

void add_weights(const TiledJob& job, const Config& config, contract::Mapping& mapping) {
  WeightOrder order(job, config);
  const int beat = config.weight_encoding().beat_bytes();
  mapping.operand("biases").ddr += std::int64_t{order.parameters().run.beats} * beat;
  contract::OperandTraffic& weights = mapping.operand("weights");
  for (int phase = 0, phases = order.phases(); phase < phases; ++phase)
    for (int left = order.tiles_of_phase(); left > 0; --left) {
      const WeightTile tile = order.next();
      for (int i = 0; i < order.runs(tile); ++i) weights.ddr += std::int64_t{order.run(tile, i).run.beats} * beat;
      ++mapping.tiles;
    }
}

void add_outputs(const TiledJob& job, const TileNest& nest, const Config& config, contract::OperandTraffic& outputs) {
  const Encoding encoding = config.output_encoding();
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (int y = 0; y < nest.y_tiles(); ++y)
      for (int x = 0; x < nest.x_tiles(); ++x) {
        MapExtents runs(output_place(job), encoding, m * nest.tm(), nest.out_channels(m), nest.output(y, x));
        while (!runs.done()) outputs.ddr += strobed_bytes(encoding, runs.next());
      }
}

// Counts the weight sets. A set stays in the engine for the points of a tile; the fully connected engine has a set for
// each point.
std::int64_t weight_sets(const TiledJob& job, const TileNest& nest) {
  if (nest.fc_engine()) return nest.points();
  return std::int64_t{nest.output_tiles()} * nest.n_tiles() * job.steps();
}

// Adds the stores of a channel; the fully connected engine's vectors are not tiles.
void add_buffers(const TiledJob& job, const TileNest& nest, const EngineConfig& engine, contract::Mapping& mapping) {
  if (nest.fc_engine()) return;
  int inputs = 0, sums = 0;
  for (int y = 0; y < nest.y_tiles(); ++y)
    for (int x = 0; x < nest.x_tiles(); ++x) {
      const Region part = nest.sums(nest.output(y, x));
      inputs = std::max(inputs, nest.input(part).size());
      sums = std::max(sums, part.size());
    }
  const auto halves = [&engine](int tiles) { return std::int64_t{std::min(engine.halves(), tiles)}; };
  const std::string name = Config::kEngineNames.at(static_cast<std::size_t>(job.engine));
  mapping.holds(name + " inputs", "words", inputs * halves(nest.output_tiles() * nest.n_tiles()),
                std::int64_t{engine.input_words} * engine.halves());
  mapping.holds(name + " sums", "words", sums * halves(nest.output_tiles()),
                std::int64_t{engine.output_words} * engine.halves());
}

void add(const TiledJob& job, const Config& config, contract::Mapping& mapping) {
  const EngineConfig& engine = config.engine(job.engine);
  const TileNest nest(job, engine);
  const std::int64_t sets = weight_sets(job, nest), set = std::int64_t{engine.tm} * engine.tn;
  mapping.passes += sets;
  contract::OperandTraffic& inputs = mapping.operand("inputs");
  inputs.ddr += loaded_inputs(job, config);
  add_bytes(inputs.array, bytes_of(nest.points() * engine.tn, config.input_encoding()));
  contract::OperandTraffic& weights = mapping.operand("weights");
  add_bytes(weights.buffers, bytes_of(sets * set, config.weight_encoding()));
  add_bytes(weights.array, bytes_of(nest.points() * set, config.weight_encoding()));
  add_weights(job, config, mapping);
  add_outputs(job, nest, config, mapping.operand("outputs", true));
  add_buffers(job, nest, engine, mapping);
  const bool fc = nest.fc_engine();
  mapping.add_tile({{"rows", fc ? 1 : job.tile_rows},
                    {"columns", fc ? 1 : job.tile_columns},
                    {"input_channels", std::int64_t{engine.tn} * (fc ? job.fc_steps : 1)},
                    {"output_channels", std::int64_t{engine.tm} * (fc ? job.fc_groups : 1)}});
}

}  // namespace

contract::Mapping mapping_of(const Config& config, const contract::Program&, const contract::LayerSteps& steps) {
  contract::Mapping mapping;
  for (const TiledJob& job : layer_jobs_of(*steps.plan).jobs) add(job, config, mapping);
  return mapping;
}

}  // namespace fansim::tiled
