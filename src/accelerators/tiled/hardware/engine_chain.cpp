// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/engine_chain.h"

namespace fansim::tiled {
namespace {

// The FC engine's inputs are registers and its sums one half: only the store of its weights lets it overlap loads.
int halves(const Config& config, int number) { return number == Config::kFc ? 1 : config.engine(number).halves(); }

// Returns how many codes level 1 gives in a cycle: a word as it came, or as many as the FC engine multiplies.
int per_word(const Config& config, int number) {
  return number == Config::kFc ? config.fc.macs_per_cycle() : config.weight_encoding().per_beat();
}

}  // namespace

EngineChain::EngineChain(const sc_core::sc_module_name& name, const Config& config, int number,
                         TileStore<std::uint16_t>& level1, const CodeBook& book, bool values)
    : sc_module(name),
      inputs(halves(config, number),
             static_cast<std::size_t>(config.engine(number).tn) *
                 static_cast<std::size_t>(config.engine(number).input_words),
             ram_ports(input_ports(config, config.engine(number)))),
      sums(config.engine(number), halves(config, number), config.float_sum(), config.quantiser.accumulator_bits,
           values),
      walker("walker", config.engine(number), number, inputs, halves(config, number), values),
      feeder("feeder", config.engine(number), number, per_word(config, number), level1, values),
      engine("engine", config.engine(number), book, sums, values) {
  // Many points use a convolution's set, so level 2 has only one shadow beside the set in use.
  if (number != Config::kFc) sets_.hold_one();
  walker.points(points_);
  engine.points(points_);
  feeder.sets(sets_);
  engine.sets(sets_);
}

}  // namespace fansim::tiled
