// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/estimate/paths.h"

#include <string_view>

#include "accelerators/tiled/estimate/macs.h"
#include "accelerators/tiled/estimate/parts.h"
#include "base/units.h"
#include "estimate/code_table.h"

namespace fansim::tiled {
namespace {

using estimate::clbs;
using estimate::mux_levels;
using estimate::Path;
using estimate::Terminal;
using Paths = std::vector<Path>;

// A comparison of 16 bits takes two LUTs, combining the loops two, and the counters' enable one.
Path nest_end(int bits) { return Path{"end of the loop nest", 5}.across(clbs(control(bits))); }

Path address(const Resources& use) {
  return Path{"address to every block RAM", 2}.across(clbs(use)).between(Terminal::register_, Terminal::bram);
}

Path stall(const Resources& use) { return Path{"stall of every stage", 2}.across(clbs(use)); }

// The widest step of a single-precision adder is the aligning shift, or the sum.
Path float_step() { return Path{"floating-point alignment and sum", 4}.add(27); }

// The path passes the first or the second step of the multiplexer that reads a word.
Path vector_word(int words, const Resources& use) {
  return Path{"word of a vector in registers", 1 + base::ceil_div(mux_levels(words), 2)}.across(clbs(use));
}

Paths input_store(const Config& c, const EngineConfig& e, const Resources& use) {
  if (e.vectors_in_registers()) return {nest_end(t::kWalkerBits), vector_word(e.input_words, use)};
  return {nest_end(t::kWalkerBits), address(use),
          Path{"column of the beat", 1 + mux_levels(c.input_encoding().per_beat())}.between(Terminal::bram,
                                                                                            Terminal::register_)};
}

// An input reaches one multiplier of every output channel. A stage of a product in LUTs is one sum of two terms.
Paths engine(const Config& c, const EngineConfig& e, const Resources& use) {
  const int product = c.quantisation.weight_bits + c.quantisation.activation_bits;
  const Terminal multiplier = mac_split(e).lut > 0 ? Terminal::register_ : Terminal::dsp;
  Paths paths{stall(use),
              Path{"input to every output channel"}.across(clbs(use) / e.tn).between(Terminal::register_, multiplier)};
  if (mac_split(e).lut > 0) paths.push_back(Path{"product in LUTs", 2}.add(product, 2));
  const int term = e.chains() ? e.chain().shift : product;
  paths.push_back(c.float_sum() ? float_step()
                                : Path{"sum of the last level", 1}.add(term + base::ceil_log2(e.tree_terms())));
  return paths;
}

Paths sums_store(const Config& c, const EngineConfig& e, const Resources& use) {
  const Path sum = c.float_sum() ? float_step() : Path{"read, add, write back", 2}.add(sum_bits(c));
  if (e.vectors_in_registers()) return {vector_word(e.output_words, use), sum};
  return {address(use), sum.between(Terminal::bram, Terminal::bram)};
}

// The path passes the RAM and its CLB's multiplexers, then those of lut_ram().
Path lut_ram_word(int words, const Resources& use) {
  const int clbs_deep = base::ceil_div(words, kLutRamWords * kLutsOfClb);
  return Path{"word of distributed RAM", 2 + mux_levels(clbs_deep)}.across(clbs(use));
}

Paths weight_level1(const Config& c, const Resources& use) {
  if (c.weights.level1 == WeightStore::bram) return {address(use)};
  return {lut_ram_word(base::ceil_div(8 * c.weights.half_bytes(), c.load.weight_bits), use)};
}

Paths post_process(const Config& c, const Resources& use) {
  const int product = c.quantiser.operand_bits + t::kScaleBits;
  const int rounds = c.quantiser.rounding == arith::Rounding::half_up ? 1 : 0;
  Paths paths{stall(use), nest_end(2 * t::kWalkerBits),
              Path{"maximum or sum with the line memory", 3}
                  .add(c.quantisation.activation_bits + 8)
                  .between(Terminal::bram, Terminal::bram),
              Path{"zero point and ReLU", 3}.add(c.quantisation.activation_bits + 1)};
  paths.push_back(c.float_sum() ? float_step() : Path{"shift and round", 3 + rounds}.add(rounds * product, rounds));
  if (c.store.code_table) paths.push_back(Path{"entry of the code", estimate::kCodeTableLevels});
  return paths;
}

Path beat_choice(int inputs) { return {"place in the beat", 2 + mux_levels(inputs)}; }

Paths paths_of(const Config& c, const estimate::BlockUse& block) {
  const std::string_view name = block.name;
  if (name == "input_loader" || name == "weight_loader") return {nest_end(t::kLoaderBits)};
  if (name == "map_decoder") return {nest_end(t::kWalkerBits), beat_choice(c.input_encoding().per_beat())};
  if (name == "weight_decoder") return {nest_end(t::kWalkerBits)};
  if (name == "conv_weight_level1") return weight_level1(c, block.use);
  if (name == "fc_weight_level1" || name == "output_store") return {address(block.use)};
  if (name == "parameter_store") return {lut_ram_word(base::ceil_div(t::kParameterChannels, c.store.lanes), block.use)};
  if (name == "post_process") return post_process(c, block.use);
  if (name == "map_encoder")
    return {nest_end(t::kLoaderBits), stall(block.use), beat_choice(c.output_encoding().per_beat() + c.store.lanes)};
  const std::size_t end = name.find('_');
  const std::string_view part = name.substr(end + 1);
  for (int i = 0; i < Config::kEngines; ++i) {
    if (name.substr(0, end) != Config::kEngineNames[static_cast<std::size_t>(i)]) continue;
    if (part == "input_store") return input_store(c, c.engine(i), block.use);
    if (part == "weight_level2") return {Path{"load of a set", 2}.across(clbs(block.use))};
    if (part == "engine") return engine(c, c.engine(i), block.use);
    if (part == "sums_store") return sums_store(c, c.engine(i), block.use);
  }
  return {};
}

}  // namespace

void add_paths(const Config& c, std::vector<estimate::BlockUse>& blocks) {
  for (estimate::BlockUse& block : blocks) block.paths = paths_of(c, block);
}

}  // namespace fansim::tiled
