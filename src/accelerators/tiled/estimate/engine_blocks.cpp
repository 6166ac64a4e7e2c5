// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "accelerators/tiled/estimate/blocks.h"
#include "accelerators/tiled/estimate/estimate.h"
#include "accelerators/tiled/estimate/macs.h"
#include "accelerators/tiled/estimate/parts.h"
#include "base/units.h"
#include "estimate/code_table.h"

// This file estimates what the engines compute with, and the blocks after them.
namespace fansim::tiled {
namespace {

// Counts words of registers, the multiplexer that reads one, and its two registers, which replace those of a block RAM
// and of its output.
Resources vector_registers(int words, int bits, int enables) {
  return {0, bits * k::lut_per_mux_bit(words) + enables * t::kLutPerWordEnable, (words + 2) * bits, 0};
}

}  // namespace

// One value of every channel is read per cycle. The column of the beat is selected where it is read.
Resources input_store(const Config& c, const EngineConfig& engine) {
  const Encoding e = c.input_encoding();
  const int bits = engine.tn * e.value_bits;
  if (engine.vectors_in_registers()) {
    const int beats = base::ceil_div(engine.tn * engine.input_words, e.per_beat());
    Resources use = vector_registers(engine.input_words, bits, beats);
    return use += control(t::kWalkerBits);
  }
  BankedStore channels = columns_of(e, engine.input_words);
  channels.banks *= input_ports(c, engine).read;
  channels.halves = engine.halves();
  Resources use = store(channels);
  const int choices = k::lut_per_mux_bit(e.per_beat()) + (engine.double_buffer ? k::kLutPerChoiceBit : 0);
  use += control(t::kWalkerBits);
  return use += Resources{0, bits * choices, 2 * bits, 0};
}

Resources sums_store(const Config& c, const EngineConfig& engine) {
  if (engine.vectors_in_registers())
    return vector_registers(engine.output_words, engine.tm * sum_bits(c), engine.output_words);
  return store({sums_ports().mode, engine.tm, sum_bits(c), engine.output_words, engine.halves()});
}

Resources weight_level1(const Config& c) {
  const int bits = c.load.weight_bits, words = base::ceil_div(8 * c.weights.half_bytes(), bits);
  if (c.weights.level1 == WeightStore::bram) return store({weight_ports(c).mode, 1, bits, words, c.weights.halves()});
  const int choice = c.weights.double_buffer ? bits * k::kLutPerChoiceBit : 0;
  Resources use{0, choice, bits, 0};
  for (int half = 0; half < c.weights.halves(); ++half) use += lut_ram(bits, words);
  return use;
}

// The store is double-buffered block RAM (3.2). The engine reads all weights of a point at once. If those are wider
// than a beat, beats are written separately; the ninth bit of a byte is written together with it, so it holds nothing.
Resources fc_weight_store(const Config& c) {
  const int beat = c.load.weight_bits, bits = std::max(beat, fc_weight_ports(c).read * c.quantisation.weight_bits);
  const int stored = bits > beat ? base::ceil_div(bits * 9, 8) : bits;
  return store({fc_weight_ports(c).mode, 1, stored, base::ceil_div(8 * c.weights.fc_half_bytes(), bits), 2});
}

// A store with no more words than the shallowest shape of a single port grows with the width of its words.
double fc_store_slack(const Config& config) {
  constexpr int kShallowest = 1024;
  if (!config.fc.exists()) return 0;
  const double here = fc_weight_store(config).bram36;
  double least = here;
  Config wider = config;
  wider.fc.tn = 1;
  for (int macs = config.fc.macs_per_cycle();; ++macs) {
    wider.fc.tm = macs;
    least = std::min(least, static_cast<double>(fc_weight_store(wider).bram36));
    if (std::int64_t{macs} * config.quantisation.weight_bits * kShallowest >=
        8 * std::int64_t{config.weights.fc_half_bytes()})
      return here - least;
  }
}

Resources weight_level2(const Config& c, const EngineConfig& engine) {
  const int bits = engine.macs_per_cycle() * c.quantisation.weight_bits;
  Resources use{0, bits * t::kLutPerLevel2Bit, bits * t::kFfPerLevel2Bit, 0};
  return use += control(t::kWalkerBits);
}

// Counts the MACs, then every output channel's accumulator, which starts at zero or at the stored sum.
Resources tile_engine(const Config& c, const EngineConfig& engine, double luts_per_mac) {
  Resources use = macs(engine, c.quantisation, luts_per_mac);
  const int bits = sum_bits(c);
  const double adder = c.float_sum() ? t::kFloatAddLut : bits * k::kLutPerAdderBit;
  const int ff = c.float_sum() ? t::kFloatAddFf : bits;
  return use += Resources{0, engine.tm * whole(adder + bits * k::kLutPerChoiceBit), engine.tm * (bits + ff), 0};
}

// Every lane's records are in distributed RAM.
Resources parameter_store(const Config& c) {
  const int words = base::ceil_div(t::kParameterChannels, c.store.lanes);
  return lut_ram(c.store.lanes * t::kParameterBits, words);
}

// Each lane selects its sum from the engines' banks, scales it, applies ReLU and pools.
Resources post_process(const Config& c) {
  const int bits = sum_bits(c), out = c.quantisation.activation_bits;
  int sources = 0;
  for (int i = 0; i < Config::kEngines; ++i) {
    const EngineConfig& e = c.engine(i);
    if (e.exists()) sources += e.halves() * base::ceil_div(e.tm, c.store.lanes);
  }
  const int operand = c.quantiser.operand_bits, product = operand + t::kScaleBits;
  Resources lane = luts(bits * k::lut_per_mux_bit(sources));
  if (c.float_sum()) {
    // It adds the bias, multiplies by the scale, converts to an integer and saturates.
    lane += Resources{t::kFloatMultiplyDsp, whole(t::kFloatAddLut + t::kFloatMultiplyLut + 32 * k::kLutPerShifterBit),
                      2 * t::kFloatAddFf, 0};
  } else {
    const int rounding = c.quantiser.rounding == arith::Rounding::half_up ? product : 0;
    // It adds the bias, saturates, scales, shifts, rounds, adds the zero point and saturates.
    lane += Resources{base::ceil_div(operand, c.device.dsp_operand_bits()),
                      whole(bits + operand + product * k::kLutPerShifterBit + rounding + 2 * out),
                      bits + operand + 2 * product, 0};
  }
  // Each window open side by side has a maximum or a sum. Each window open above another has one too, which combines
  // with what its line memory holds, or with what was written there a cycle before. The mean multiplies by the
  // reciprocal of the window.
  const int pooled = out + base::ceil_log2(c.store.pool_kernel * c.store.pool_kernel), open = c.store.pool_lines;
  const double larger_or_sum = pooled * (k::kLutPerMaximumBit + k::kLutPerAdderBit);
  lane += Resources{1, whole(2 * open * larger_or_sum + open * pooled * k::kLutPerChoiceBit), 3 * open * pooled, 0};
  Resources use = control(2 * t::kWalkerBits);
  for (int i = 0; i < c.store.lanes; ++i) use += lane;
  if (c.store.code_table) use += estimate::code_table(c.store.lanes);
  // All lanes work in step, so they share each line memory.
  use += store({BramMode::sdp, open, c.store.lanes * pooled, StoreConfig::kPoolColumns, 1});
  return use += stream_of(c.store.lanes * out);
}

}  // namespace fansim::tiled
