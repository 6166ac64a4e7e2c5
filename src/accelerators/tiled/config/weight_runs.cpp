// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/weight_runs.h"

namespace fansim::tiled {

WeightTile WeightExtents::conv_tile(int m, int n) const {
  return {std::int64_t{m} * nest_.n_tiles() + n, m * nest_.tm(), nest_.out_channels(m), n * nest_.tn(),
          nest_.in_channels(n)};
}

// Every block but the last has as many tiles as a full one.
WeightTile WeightExtents::fc_tile(int block, int m, int k) const {
  const int outputs = job_.fc_groups * nest_.tm(), inputs = job_.fc_steps * nest_.tn();
  const int first_output = m * outputs, first_in_block = k * inputs;
  return {
      (std::int64_t{block} * nest_.fc_k_tiles(0) * nest_.fc_m_tiles()) + std::int64_t{m} * nest_.fc_k_tiles(block) + k,
      first_output, std::min(outputs, job_.instruction.out_channels - first_output),
      block * job_.fc_block + first_in_block, std::min(inputs, nest_.fc_inputs(block) - first_in_block)};
}

std::int64_t WeightExtents::tiles() const {
  if (!nest_.fc_engine()) return std::int64_t{nest_.m_tiles()} * nest_.n_tiles();
  const int full = nest_.fc_blocks() - 1;
  return std::int64_t{nest_.fc_m_tiles()} * (full * nest_.fc_k_tiles(0) + nest_.fc_k_tiles(full));
}

std::int64_t WeightExtents::bytes() const {
  if (reorganised_) return tiles() * nest_.tile_beats(encoding_) * encoding_.beat_bytes();
  const Instruction& layer = job_.instruction;
  return encoding_.beats(std::int64_t{layer.out_channels} * layer.in_channels * job_.steps()) * encoding_.beat_bytes();
}

WeightExtent WeightExtents::run(const WeightTile& tile, int i) const {
  WeightExtent weights;
  weights.engine = job_.engine;
  if (reorganised_) {
    const std::int64_t beats = nest_.tile_beats(encoding_), values = nest_.tile_values();
    weights.run = {job_.weight_address + static_cast<std::uint32_t>(tile.number * beats * encoding_.beat_bytes()),
                   static_cast<int>(beats), 0, static_cast<int>(values), true};
    weights.row = nest_.fc_engine() ? weights.run.values : nest_.tm();
    return weights;
  }
  const int steps = nest_.fc_engine() ? 1 : job_.steps();
  const std::int64_t first =
      (std::int64_t{tile.first_output + i} * job_.instruction.in_channels + tile.first_input) * steps;
  weights.run = run_of(job_.weight_address, first, std::int64_t{tile.inputs} * steps, encoding_);
  weights.run.last = i + 1 == tile.outputs;
  weights.row = weights.run.values;
  weights.scatter = scatter(i);
  return weights;
}

// Returns where an output channel's values go: [ti][k] of a convolution, [j][ti] of the FC engine.
Scatter WeightExtents::scatter(int output) const {
  const int tm = nest_.tm(), tn = nest_.tn();
  if (!nest_.fc_engine()) return {output, job_.steps(), tn * tm, tm};
  return {output / tm * tn * tm + output % tm, tn, tm, job_.fc_groups * tn * tm};
}

WeightExtent WeightExtents::parameters(int first, int channels) const {
  const Encoding bytes{8, 8, encoding_.beat_bits, encoding_.beat_bits};
  WeightExtent weights;
  weights.run = run_of(job_.parameter_address, std::int64_t{first} * kParameterBytes,
                       std::int64_t{channels} * kParameterBytes, bytes);
  weights.run.last = true;
  weights.engine = job_.engine;
  weights.row = weights.run.values;
  weights.parameters = true;
  return weights;
}

}  // namespace fansim::tiled
