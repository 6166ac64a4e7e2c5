// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "accelerators/tiled/config/encoding.h"
#include "arith/requantise.h"
#include "base/effect.h"
#include "base/rational.h"
#include "base/units.h"
#include "contract/axi.h"
#include "contract/config_file.h"
#include "contract/converters.h"
#include "contract/ddr.h"
#include "contract/dual_int8.h"
#include "contract/host.h"
#include "contract/idle_keys.h"

namespace fansim::tiled {

// Selects where an engine's MACs are made: in DSP slices, one each, or packed in chains that sum two output channels at
// once; in LUTs; or in both, divided by output or by input channel.
enum class MacPlace { dsp, int8_chain, lut, by_output, by_input };

// Selects what holds the input vector of a fully connected layer and the sums of its outputs.
enum class VectorStore { bram, registers };

// Describes a computing engine and its tile stores. It has tm x tn MACs per cycle, which do the point (r, c, kr, kc) of
// all their channels.
struct EngineConfig {
  int tm = 0;
  int tn = 0;
  MacPlace macs = MacPlace::dsp;
  int dsp_channels = 0;
  int terms = 7;
  int input_words = 1024;
  int output_words = 1024;
  bool double_buffer = true;
  VectorStore vectors = VectorStore::bram;
  bool required = false;       // every accelerator has it
  bool takes_vectors = false;  // it is the FC engine, which has a key for vectors

  static constexpr int kMaxFactor = 512;
  static constexpr int kMinTerms = 2, kMaxTerms = 8;
  bool exists() const { return tm > 0; }
  int macs_per_cycle() const { return tm * tn; }
  int halves() const { return double_buffer ? 2 : 1; }

  bool vectors_in_registers() const { return vectors == VectorStore::registers; }
  bool chains() const { return macs == MacPlace::int8_chain; }
  contract::DualInt8Config chain() const { return {std::min(terms, tn)}; }
  // Returns the terms that the adder tree sums for an output channel: products, or sums of chains.
  int tree_terms() const { return chains() ? base::ceil_div(tn, chain().terms) : tn; }

  // The latencies are: block RAM with its output register; operands, product and sum registers (UG579: A/B, M, P), or a
  // chain; the adder tree; and read, add and write back of the partial sum.
  static constexpr int input_latency() { return 2; }
  static constexpr int kMultiply = 3;
  int multiply_latency() const { return chains() ? chain().latency() : kMultiply; }
  static constexpr int accumulate_latency(bool float_sum) { return float_sum ? kFloatAdd + 2 : 3; }
  static constexpr int kFloatAdd = 4;  // a single-precision adder has four stages, and so does each level of the tree
  int tree_latency(bool float_sum) const { return (float_sum ? kFloatAdd : 1) * base::ceil_log2(tree_terms()); }
  // Returns the edges from the one that takes a point to the one at which its sums are written.
  int latency(bool float_sum) const {
    return multiply_latency() + tree_latency(float_sum) + accumulate_latency(float_sum);
  }

  template <class V>
  void visit(V&& v) {
    const int least = required ? 1 : 0;
    v.field("tm", tm, least, kMaxFactor,
            {required ? "output channels computed at once"
                      : "output channels computed at once; 0: the accelerator has no such engine",
             base::grows()});
    v.field("tn", tn, least, kMaxFactor, {"input channels multiplied at once", base::grows()});
    v.choice(
        "macs", macs,
        {{MacPlace::dsp, "dsp"},
         {MacPlace::int8_chain, "int8_chain"},
         {MacPlace::lut, "lut"},
         {MacPlace::by_output, "by_output"},
         {MacPlace::by_input, "by_input"}},
        {"dsp: a slice each; int8_chain: chains of slices, two output channels each; lut: none; by_output, by_input: "
         "`dsp_channels` of tm or tn on slices, the rest in LUTs",
         base::Effect{base::Effect::Resources::shape, true, false, true}});
    v.field("dsp_channels", dsp_channels, 0, kMaxFactor,
            {"by_output, by_input: channels on DSP slices", base::Effect{base::Effect::Resources::place, false}});
    v.field("terms", terms, kMinTerms, kMaxTerms,
            {"int8_chain: input channels that a chain sums; uint8 allows 4, a weight of -128 allows 7",
             base::Effect{base::Effect::Resources::shape, true, false, true}});
    v.field("input_words", input_words, 1, 1 << 20,
            {"values per input channel in one half of the input store", base::grows()});
    v.field("output_words", output_words, 1, 1 << 16,
            {"partial sums per output channel in one half of their store", base::grows()});
    v.field("double_buffer", double_buffer,
            {"input and sums in two halves, so that the stages overlap", base::grows()});
    if (takes_vectors)
      v.choice("vectors", vectors, {{VectorStore::bram, "bram"}, {VectorStore::registers, "registers"}},
               "what holds the input vector and the sums of the outputs; registers hold the vector whole");
  }
};

enum class LoadOrder { serial, parallel };

// Describes the load stage: how inputs and weights come from memory.
struct LoadConfig {
  LoadOrder order = LoadOrder::serial;
  bool encode = true;
  bool reorganise = true;
  int input_bits = 32;
  int weight_bits = 256;
  int input_burst_beats = 16;
  int weight_burst_beats = 256;
  int outstanding = 16;
  int gap = 0;

  template <class V>
  void visit(V&& v) {
    v.choice("order", order, {{LoadOrder::serial, "serial"}, {LoadOrder::parallel, "parallel"}},
             "serial: one load function, inputs then weights, on one memory port; parallel: two functions and ports");
    v.field("encode", encode, "values are packed into words and beats; false: each has whole bytes");
    v.field("reorganise", reorganise, "weights reordered offline, so that a tile is one run of addresses");
    constexpr const char* kWidths = "8 | 16 | 32 | 64 | 128 | 256 | 512";
    v.field("input_bits", input_bits, 8, 512, {"width of the input stream", base::Effect{}, kWidths});
    v.field("weight_bits", weight_bits, 8, 512, {"width of the weight stream", base::Effect{}, kWidths});
    v.field("input_burst_beats", input_burst_beats, 1, 256, "beats of an input burst at most");
    v.field("weight_burst_beats", weight_burst_beats, 1, 256, "beats of a weight burst at most");
    v.field("outstanding", outstanding, 1, 64, "bursts in flight at most, per stream");
    v.field("gap", gap, 0, 1000, "cycles after a burst's last beat in which no data are taken");
  }
};

// Describes the store stage, and the post-processing before it.
struct StoreConfig {
  int bits = 32;
  int burst_beats = 16;
  int outstanding = 16;
  int lanes = 32;
  int words = 1024;
  int pool_kernel = 3;
  int pool_lines = 2;
  bool code_table = false;

  static constexpr int read_latency() { return 2; }  // the output store is block RAM with its output register
  static constexpr int kHalves = 2;
  static constexpr int kPoolColumns = 512;  // of a row of pooled outputs; a block RAM is that deep (UG573)
  // Returns the edges from the read of a sum to the write of its output: block RAM with its output register, bias, the
  // multiplier's three registers (UG579: A/B, M, P), shift and round, saturation with zero point and ReLU, and pooling.
  // In single precision the bias, and the half that rounds, take an adder each; the last of the two stages is the
  // conversion.
  // A code table is a stage before the pooling.
  constexpr int post_latency(bool float_sum) const {
    const int add = float_sum ? EngineConfig::kFloatAdd : 1;
    return EngineConfig::input_latency() + add + EngineConfig::kMultiply + add + 1 + (code_table ? 1 : 0) + 1;
  }

  template <class V>
  void visit(V&& v) {
    v.field("bits", bits, 32, 256, {"width of the output stream", base::Effect{}, "32 | 64 | 128 | 256"});
    v.field("burst_beats", burst_beats, 1, 256, "beats of an output burst at most");
    v.field("outstanding", outstanding, 1, 64, "bursts without a response at most");
    v.field("lanes", lanes, 1, EngineConfig::kMaxFactor, "output channels post-processed at once");
    v.field("words", words, 1, 1 << 16, "outputs per channel in one half of the output store");
    v.field("pool_kernel", pool_kernel, 1, 255, {"largest window of a pooling, rows and columns", base::grows()});
    v.field("pool_lines", pool_lines, 1, 255,
            {"windows of a pooling open at once along an axis, kernel / stride rounded up", base::grows()});
    v.field("code_table", code_table,
            {"outputs can pass a table of 256 codes in each lane: sigmoid, tanh, hard_swish and other functions of one "
             "value; activations of at most 8 bits",
             base::Effect{base::Effect::Resources::shape, true, false, true}});
  }
};

enum class WeightStore { lut, bram };

// Describes the on-chip weights: level 1 holds tiles as they arrived, level 2 holds the weights of one kernel position
// in registers.
struct WeightStoreConfig {
  WeightStore level1 = WeightStore::lut;
  bool double_buffer = true;
  int kib = 75;
  int fc_kib = 32;

  int halves() const { return double_buffer ? 2 : 1; }
  int half_bytes() const { return kib * 1024; }
  int fc_half_bytes() const { return fc_kib * 1024; }

  template <class V>
  void visit(V&& v) {
    v.choice("level1", level1, {{WeightStore::lut, "lut"}, {WeightStore::bram, "bram"}},
             {"what holds the convolutions' weight tiles", base::Effect{base::Effect::Resources::shape, false}});
    v.field("double_buffer", double_buffer, {"two of them: with LUTs this is FAQ-CNN's alpha", base::grows("conv")});
    v.field("kib", kib, 1, 4096, {"one weight tile of a convolution at most, KiB", base::grows("conv")});
    v.field("fc_kib", fc_kib, 1, 4096, {"one half of the FC engine's weight store, block RAM, KiB", base::grows("fc")});
  }
};

enum class MacGrain { coarse, fine };

// Describes the number formats: a method of docs/quantisation.md and its widths.
struct QuantisationConfig {
  std::string method = "dorefa";
  int weight_bits = 8;
  int activation_bits = 8;
  MacGrain grain = MacGrain::coarse;

  template <class V>
  void visit(V&& v) {
    v.field("method", method,
            {"quantisation method of the weights", base::Effect{base::Effect::Resources::shape, true, true}});
    v.field("weight_bits", weight_bits, 1, 16,
            {"bits of a weight's code", base::Effect{base::Effect::Resources::shape, true, true}});
    v.field("activation_bits", activation_bits, 1, 16,
            {"bits of an activation", base::Effect{base::Effect::Resources::shape, true, true}});
    v.choice("grain", grain, {{MacGrain::coarse, "coarse"}, {MacGrain::fine, "fine"}},
             {"coarse: codes become integers; fine: the method's own operator, summed in single precision",
              base::Effect{base::Effect::Resources::shape, true, true}});
  }
};

// Describes the complete tiled accelerator, with one struct per box of its diagram.
struct Config : contract::ConfigBase {
  static constexpr const char* kSystem = "tiled";
  static constexpr std::array kFuses{"store.code_table"};

  // Reads a configuration file with `--set key.path=value` overrides. Throws base::UserError.
  static Config read(const std::string& path, const std::vector<std::string>& overrides);

  Config() {
    clock_mhz = {200, 1};
    conv.required = true;
    fc.takes_vectors = true;
    host.cycles_per_value = base::Cost::nanoseconds(10);
  }

  base::Rational port_mhz{1000, 3};
  QuantisationConfig quantisation;
  arith::QuantiserFormat quantiser;
  EngineConfig conv{128, 24};
  EngineConfig first;
  EngineConfig fc;
  WeightStoreConfig weights;
  LoadConfig load;
  StoreConfig store;
  contract::ClockConverterConfig clock_converter;
  contract::AxiConfig port;
  contract::DdrConfig ddr;
  contract::ComputingHostConfig host;

  bool float_sum() const { return quantisation.grain == MacGrain::fine; }
  // These are the engines by number, as a job names them, and the blocks of their keys.
  static constexpr int kConv = 0, kFirst = 1, kFc = 2, kEngines = 3;
  static constexpr std::array<const char*, kEngines> kEngineNames{"conv", "first", "fc"};
  const EngineConfig& engine(int i) const { return i == kConv ? conv : i == kFirst ? first : fc; }

  // Activations that are read and those that are written have the same word size in memory.
  int word_bits() const { return std::min({32, load.input_bits, store.bits}); }
  Encoding input_encoding() const {
    return graded(quantisation.activation_bits, word_bits(), load.input_bits, load.encode);
  }
  Encoding output_encoding() const {
    return graded(quantisation.activation_bits, word_bits(), store.bits, load.encode);
  }
  Encoding weight_encoding() const {
    return width_independent(quantisation.weight_bits, load.weight_bits, load.encode);
  }

  // Lists keys of shared blocks that have no effect on this machine.
  static constexpr std::array<base::InertKey, 2> kInert{
      {{"host.register_read", "the host waits for an interrupt, it polls nothing"},
       {"host.dma_setup", "the accelerator moves its data itself"}}};

  // Returns the edges of the fabric's clock after which it meets the port's clock again. Layers begin at such edges. So
  // the clocks' phase, and with it a layer's cycles, do not depend on what ran before.
  std::int64_t common_period() const {
    const std::int64_t fabric = clock_mhz.numerator * port_mhz.denominator;
    return fabric / std::gcd(fabric, port_mhz.numerator * clock_mhz.denominator);
  }
  static constexpr std::int64_t kMostCommonPeriod = 1'000'000;  // longest time that a machine may wait before every
                                                                // layer

  contract::MemoryPorts memory_ports() const {
    return {load.order == LoadOrder::parallel ? 2 : 1, port.data_bits, port_mhz.value() * 1e6};
  }

  // Returns the clock in which a block's costs are counted.
  const base::Rational& clock_of(const std::string& block) const { return block == "ddr" ? port_mhz : clock_mhz; }

  // Visits every clock with its key in the configuration file.
  template <class F>
  void visit_clocks(F&& f) {
    f("clock_mhz", clock_mhz);
    f("port_mhz", port_mhz);
  }

  template <class F>
  void visit_blocks(F&& f) {
    f("quantisation", quantisation);
    f("quantiser", quantiser);
    f(kEngineNames[kConv], conv);
    f(kEngineNames[kFirst], first);
    f(kEngineNames[kFc], fc);
    f("weights", weights);
    f("load", load);
    f("store", store);
    f("clock_converter", clock_converter);
    f("port", port);
    f("ddr", ddr);
    f("host", host);
  }
};

// Returns why the reader of a file would refuse the configuration; empty: it would not.
std::string refusal(const Config& config);

// Adds keys that change nothing because of what others say.
void add_idle(contract::IdleKeys& idle, const Config& config);

}  // namespace fansim::tiled
