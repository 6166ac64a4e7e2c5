// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/mapping.h"

#include "accelerators/decoupled/config/check.h"
#include "accelerators/decoupled/config/command.h"

namespace fansim::decoupled {
namespace {

using contract::add_bytes;

std::int64_t bytes_of(const Planes& planes) {
  return std::int64_t{planes.planes} * planes.rows.rows * planes.rows.row_bytes;
}

// Returns the steps that multiply, without those that the array's loops lose.
std::int64_t products_of(const Command& command, const ArrayConfig& array) {
  const std::int64_t window = std::int64_t{array.window} * array.window;
  const std::int64_t of_kernel = std::int64_t{command.kernel} * command.kernel;
  const std::int64_t blocks = command.taps > 0 ? base::ceil_div(std::int64_t{command.taps}, window)
                                               : command.input_blocks * base::ceil_div(of_kernel, window);
  return std::int64_t{command.sums.rows} * command.sums.columns * command.output_blocks * blocks;
}

// The array reads both operands from their buffers in every step.
void add_multiply(const Command& command, const Config& config, contract::Mapping& mapping) {
  const ArrayConfig& array = config.array;
  const std::int64_t values =
      products_of(command, array) * array.tn * array.window * array.window * config.data.bytes();
  add_bytes(mapping.operand("inputs").array, values * array.batch);
  add_bytes(mapping.operand("weights").array, values * array.tm);
}

void add_tile(const Command& command, const ArrayConfig& array, contract::Mapping& mapping) {
  mapping.add_tile({{"rows", command.sums.rows},
                    {"columns", command.sums.columns},
                    {"input_channels", std::int64_t{command.input_blocks} * array.tn},
                    {"output_channels", std::int64_t{command.output_blocks} * array.tm}});
}

// Tiles have fixed places in a buffer, so it is in use up to the end of the last tile.
std::int64_t end_of(const Tile& tile) { return tile.first + std::int64_t{tile.planes} * tile.plane; }

void add_buffers(const Command& command, const Config& config, contract::Mapping& mapping) {
  constexpr std::int64_t kKib = 1024;
  const BufferConfig& buffers = config.buffers;
  if (command.action == Action::load_inputs)
    mapping.holds("input", "B", end_of(command.inputs) * input_vector_bytes(config), buffers.input_kib * kKib);
  if (command.action == Action::load_weights)
    mapping.holds("weight", "B", std::int64_t{command.weights} * weight_block_bytes(config) + bytes_of(command.planes),
                  buffers.weight_kib * kKib);
  if (command.action == Action::multiply || command.action == Action::pool)
    mapping.holds("sum", "B", end_of(command.sums) * sum_vector_bytes(config), buffers.sum_kib * kKib);
}

void add(const Command& command, const Config& config, contract::Mapping& mapping) {
  add_buffers(command, config, mapping);
  switch (command.action) {
    case Action::load_inputs:
      mapping.operand("inputs").ddr += bytes_of(command.planes);
      ++mapping.tiles;
      break;
    case Action::load_weights:
      mapping.operand("weights").ddr += bytes_of(command.planes);
      break;
    case Action::load_parameters:
      mapping.operand("biases").ddr += bytes_of(command.planes);
      break;
    case Action::load_sums:
      mapping.operand("sums back").ddr += bytes_of(command.planes);
      break;
    case Action::multiply:
      add_multiply(command, config, mapping);
      [[fallthrough]];
    case Action::pool:
      ++mapping.passes;
      add_tile(command, config.array, mapping);
      break;
    case Action::post:
      break;
    case Action::store:
      mapping.operand("outputs", true).ddr += bytes_of(command.planes);
      break;
    case Action::store_sums:
      mapping.operand("sums out", true).ddr += bytes_of(command.planes);
      break;
  }
}

}  // namespace

contract::Mapping mapping_of(const Config& config, const contract::Program& program,
                             const contract::LayerSteps& steps) {
  contract::Mapping mapping;
  mapping.operand("inputs");
  const DecoupledLayer& layer = layer_of(*steps.plan);
  JobRegisters registers;
  contract::each_job(program, steps, registers, [&] {
    for (const Command& command : layer.jobs.at(job_of(registers)).commands) add(command, config, mapping);
  });
  return mapping;
}

}  // namespace fansim::decoupled
