// SPDX-License-Identifier: Apache-2.0
#include "estimate/twins.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "arith/compressor.h"
#include "base/units.h"
#include "estimate/bram.h"

namespace fansim::estimate {
namespace {

using base::ceil_div;

constexpr int kTagBits = 71;  // tests/rtl/tag.vh

// Parameters with the twin's own values for those left out.
class Values {
 public:
  Values(const Parameters& given, const Parameters& defaults) : values_(given) {
    values_.insert(defaults.begin(), defaults.end());
  }
  int operator[](const char* name) const { return values_.at(name); }

 private:
  Parameters values_;
};

Structure stream_register(const Values& p) { return {{1.0 * p["WIDTH"], 1}, {1.0 * p["WIDTH"], 1}}; }

Structure constant(const Values&) { return {{1}, {1}}; }

Structure sequencer(const Values&) { return {{1}, {1}, 0, 0, 5}; }

// A distributed memory per reader.
Structure job_store(const Values& p) { return {{1.0 * p["READERS"], 1}, {1.0 * p["READERS"], 1}}; }

Structure stream_receiver(const Values& p) { return {{1.0 * p["ADDRESS_BITS"], 1}, {1.0 * p["ADDRESS_BITS"], 1}}; }

// A read takes one of `reads` parts of a row, from one of the block RAMs below one another or from the resident store.
Structure ping_pong(const Values& p) {
  const int write = p["WRITE_BYTES"], read = p["READ_BYTES"], row = std::max(write, read);
  const int parts = row / write, reads = row / read;
  const int half_rows = ceil_div(p["HALF_BYTES"], row), resident_rows = ceil_div(p["RESIDENT_BYTES"], row);
  const YosysBram halves = yosys_bram(8 * write, 2 * half_rows), resident = yosys_bram(8 * write, resident_rows);
  const int choices = reads * (halves.rows + resident.rows);
  const double multiplexer = choices <= 1 ? 0 : choices <= 3 ? 1 : choices / 2.0;
  int state = 3;  // claimed targets
  if (resident_rows > 0) ++state;
  if (reads > 1) state += base::ceil_log2(reads);
  if (parts > 1) state += base::ceil_log2(std::max(2 * half_rows, resident_rows)) + base::ceil_log2(parts);
  return {{8.0 * read * multiplexer, 1}, {8.0 * read, 1.0 * state}, 0, parts * (halves.bram36 + resident.bram36)};
}

// Two copies with two readers; the narrower records choose half a row.
Structure bias_buffer(const Values& p) {
  const int row = 8 * p["OUTPUT_CHANNELS"], parts = std::max(1, row / p["BEAT_BYTES"]);
  const int rows = 2 * ceil_div(p["HALF_BYTES"], row);
  const int place = parts > 1 ? base::ceil_log2(rows) + base::ceil_log2(parts) : 0;
  return {{4.0 * row, 1}, {1.0 * place, 1}, 0, 2 * parts * yosys_bram36(8 * row / parts, rows)};
}

Structure hidden_state(const Values& p) {
  const int row = 8 * p["OUTPUT_CHANNELS"], word = 8 * p["INPUT_CHANNELS"];
  return {{row > word ? 1.0 * word : 0, 1.0 * word, 1}, {1.0 * word, 1}, 0, yosys_bram36(row, 2 * p["BLOCKS"])};
}

// Every bit is a shift register of SRLC32E, of which the slice's multiplexers choose among four.
Structure line_buffer(const Values& p) {
  const int bits = p["ROWS"] * p["INPUT_CHANNELS"] * 8;
  const int srls = ceil_div(p["LINE_COLUMNS"], 32);
  const int choices = ceil_div(srls, 4);
  return {{1.0 * bits, bits * (choices > 1 ? ceil_div(choices, 4) : 0.0), 1}, {1.0 * bits, 1}, bits * srls};
}

// Handshake of the window, choice of a line for each tap row, and the arithmetic of that choice.
Structure sliding_window(const Values& p) {
  const int rows = p["ROWS"], column = rows * p["INPUT_CHANNELS"] * 8, window = p["COLS"] * column;
  return {{1.0 * (window + rows * column), 1.0 * rows * rows, 1}, {3.0 * window - column, 1}};
}

// A pair of products of one slice, or a product in LUTs or tables, of which each has 12 pairs of bits; the tag waits in
// shift registers beside them.
Structure mac_array(const Values& p) {
  const int taps = p["ROWS"] * p["COLS"] * p["INPUT_CHANNELS"], lanes = p["OUTPUT_CHANNELS"], kind = p["MULTIPLIER"];
  const int all = taps * lanes, pairs = kind == 1 ? taps * ceil_div(lanes, 2) : 0;
  const double products = 16.0 * all, luts = kind == 2 ? all : 0, tables = kind == 3 ? all : 0;
  const int banks = kind == 3 ? 1 + p["SHADOW"] : 0;
  return {{products, 16.0 * pairs, luts, tables, tables * p["SHADOW"], 1},
          {products, luts, tables, kind >= 2 ? 1.0 * taps : 0, 1},
          kTagBits + 12 * all * banks,
          0,
          kind >= 2   ? 0
          : pairs > 0 ? pairs
                      : all};
}

arith::LutKernel kernel(const Values& p) {
  return arith::LutKernel({p["INPUTS"], p["INPUT_BITS"], p["COEFFICIENT_BITS"], p["FAITHFUL"] == 1});
}

// Two accumulators per coefficient, and their words on the way to the tables.
Structure reload_controller(const Values& p) {
  const double inputs = p["INPUTS"], bits = inputs * p["COEFFICIENT_BITS"];
  return {{bits, inputs, 1}, {bits, inputs, 1}};
}

// What the tables say passes a register and a stream of two entries; a multiplexer chooses between a table and its
// shadow.
Structure lut_multiplier(const Values& p) {
  const arith::LutKernel k = kernel(p);
  double bits = 0;
  for (int s = 0; s < k.slices(); ++s) bits += p["INPUTS"] * (k.product_bits() - k.first_bit(s));
  const int banks = 1 + p["SHADOW"];
  return {{bits, 1.0 * k.table_luts() * p["SHADOW"], 1},
          {3 * bits + p["INPUTS"] * p["INPUT_BITS"], 1},
          k.table_luts() * banks};
}

// Of the sum only the output's bits are kept.
Structure compressor_tree(const Values& p) {
  const arith::LutKernel k = kernel(p);
  const arith::CompressorPlan plan(arith::heap_of(k));
  return {{1.0 * plan.luts(), 1.0 * k.output_bits(), 1},
          {1.0 * plan.registers() - (k.sum_bits() - k.output_bits()), 1.0 * k.output_bits(), 1}};
}

// The operands of a term wait for the cascade, an edge more per term; from three edges on in shift registers, as two of
// the flags beside them always do.
Structure dual_int8_mac(const Values& p) {
  constexpr int kOperandBits = 3 * 9;
  const int terms = p["TERMS"], waits = std::min(terms - 1, 2);
  const int registers = waits * (waits + 1) / 2;
  return {{1}, {1.0 * kOperandBits * registers + terms, 1}, kOperandBits * std::max(terms - 3, 0) + 2, 0, terms + 1};
}

Structure weight_reader(const Values& p) {
  const double column = 8.0 * p["ROWS"] * p["INPUT_CHANNELS"] * p["OUTPUT_CHANNELS"];
  return {{column, 1}, {column, 1}};
}

// The registers of a pairwise sum. A value that only waits for three or more of them waits in a shift register, where
// the first of them is no gate: a term that may be gated to zero enters a register with a reset.
struct Sum {
  int adder_bits = 0, ff = 0, srl = 0;
  int bits = 0;  // of the sum

  Sum(int terms, int width, int levels, int most_bits, bool gated) {
    std::vector<Value> values(static_cast<std::size_t>(terms), {std::min(width, most_bits), 0});
    for (int level = 0; level < levels; ++level) {
      std::vector<Value> next;
      for (std::size_t i = 0; i < values.size(); i += 2) {
        if (i + 1 < values.size()) {
          next.push_back(added(values[i], values[i + 1], most_bits));
        } else if (gated && level == 0) {
          ff += values[i].bits;
          next.push_back(values[i]);
        } else {
          next.push_back({values[i].bits, values[i].waiting + 1});
        }
      }
      values = next;
    }
    leave(values[0]);
    bits = values[0].bits;
  }

 private:
  struct Value {
    int bits, waiting;
  };

  Value added(const Value& a, const Value& b, int most_bits) {
    leave(a);
    leave(b);
    const int width = std::min(std::max(a.bits, b.bits) + 1, most_bits);
    adder_bits += width;
    return {width, 1};
  }
  void leave(const Value& value) {
    if (value.waiting >= 3)
      srl += value.bits;
    else
      ff += value.bits * value.waiting;
  }
};

// Per output channel the sum of each tap row, then, per output row in parallel, of the tap rows it needs.
Structure adder_tree(const Values& p) {
  const int rows = p["ROWS"], lanes = p["OUTPUT_CHANNELS"], terms = p["COLS"] * p["INPUT_CHANNELS"];
  const int row_levels = rows * terms == 1 ? 1 : base::ceil_log2(terms), levels = base::ceil_log2(rows);
  const int most_bits = p["SUM_BITS"] > 0 ? p["SUM_BITS"] : 16 + row_levels + levels;
  const Sum row(terms, 16, row_levels, most_bits, false);
  int adders = rows * row.adder_bits, ff = rows * row.ff, srl = rows * row.srl, choices = 0, sums = 0;
  for (int parallel = 0; parallel < rows; ++parallel) {
    const int most = rows / (parallel + 1);
    const Sum sum(most, row.bits, levels, most_bits, true);
    adders += sum.adder_bits;
    ff += sum.ff;
    srl += sum.srl;
    sums += sum.bits;
    for (int leaf = 0; leaf < most; ++leaf) choices += row.bits * (parallel == 0 ? 1 : ceil_div(most - leaf + 1, 2));
  }
  const int latency = row_levels + levels;
  const int tag_ff = latency >= 3 ? 0 : latency * kTagBits;
  return {{1.0 * lanes * adders, 1.0 * lanes * choices, 1.0 * lanes * sums, 1},
          {1.0 * lanes * (ff + 2 * sums) + tag_ff, 1},
          lanes * srl + (latency >= 3 ? kTagBits : 0)};
}

// A bank per tap row; sums that are narrower than what is stored are extended in every bank.
Structure accumulator(const Values& p) {
  const int rows = p["ROWS"], lanes = p["OUTPUT_CHANNELS"];
  const double total = lanes * p["ACCUMULATOR_BITS"], sum = lanes * p["SUM_BITS"];
  return {{rows * total, sum < total ? rows * total : 0, 1},
          {rows * total, rows * sum, total, 1},
          0,
          rows * yosys_bram36(lanes * p["ACCUMULATOR_BITS"], ceil_div(p["ACCUMULATOR_DEPTH"], rows))};
}

// Products of slices or LUTs, whose inputs are registered once per input channel; entry, first, last and, if it chooses
// among two block RAMs, the half wait in shift registers where they wait for three edges.
Structure tile_engine(const Values& p) {
  const int tm = p["TM"], tn = p["TN"], total = p["ACCUMULATOR_BITS"], halves = p["HALVES"];
  const int chosen = std::min(p["DSP_CHANNELS"], p["BY_INPUT"] == 1 ? tn : tm);
  const int slices = p["BY_INPUT"] == 1 ? chosen * tm : chosen * tn, luts = tm * tn - slices;
  const int inputs = luts == 0 ? 0 : p["BY_INPUT"] == 1 ? tn - chosen : tn;
  const int levels = base::ceil_log2(tn), entry = std::max(1, base::ceil_log2(p["OUTPUT_WORDS"]));
  const Sum tree(tn, 16, levels, 16 + levels, false);
  const bool waits = levels >= 2;
  const int srl = (waits ? entry : 0) + (waits || halves == 1 ? 1 : 0) + 2;
  return {{1.0 * tm * (tree.adder_bits + total), 1.0 * luts, 1.0 * tm * total * (halves - 1), 1},
          {1.0 * tm * (tree.ff + tree.bits + total) + 9 * inputs, 1.0 * luts, 1.0 * entry, 1},
          tm * tree.srl + srl,
          halves * yosys_bram36(tm * total, p["OUTPUT_WORDS"]),
          slices};
}

// The tag waits in shift registers beside the products.
Structure quantiser(const Values& p) {
  const double lanes = p["OUTPUT_CHANNELS"], operand = p["OPERAND_BITS"];
  // A product of up to 27 x 18 bits takes one slice.
  const int dsp = p["OPERAND_BITS"] > 27 ? 2 : 1;
  return {{lanes, lanes * operand, lanes * operand * p["HALF_UP"], 1},
          {lanes, lanes * operand, 1},
          kTagBits + 11,
          0,
          p["OUTPUT_CHANNELS"] * dsp};
}

// A pixel meets KERNEL columns and OPEN rows; each open row multiplies to find its start.
Structure pooling(const Values& p) {
  const int bits = 8 * p["OUTPUT_CHANNELS"], kernel = p["KERNEL"], open = p["OPEN"];
  return {{1.0 * bits * (kernel + open), 1.0 * open, 1},
          {1.0 * bits * (kernel + open + 2), 1.0 * open, 1},
          0,
          open * yosys_bram36(bits, p["DEPTH"]),
          open + 1};
}

// The tag waits in shift registers beside the table.
Structure activation(const Values& p) {
  const int lanes = p["OUTPUT_CHANNELS"];
  return {{1.0 * lanes, 1}, {1.0 * lanes, 1}, kTagBits, lanes * yosys_bram36(16, 4096), 0};
}

// Tag, lane, output gate, update gate and hidden state wait in shift registers beside the five multipliers.
Structure recurrent_cell(const Values& p) {
  const int lanes = p["OUTPUT_CHANNELS"], blocks = p["BLOCKS"];
  return {{1.0 * lanes, 1},
          {1.0 * lanes, 1},
          kTagBits + 16 + 16 + 8 + 1 + base::ceil_log2(lanes) + base::ceil_log2(blocks),
          yosys_bram36(16, blocks * lanes) + yosys_bram36(8 * lanes, 2 * blocks) + yosys_bram36(16, 4096),
          5};
}

Structure output_store(const Values& p) {
  const double bits = 8 * p["OUTPUT_CHANNELS"];
  return {{bits, 1}, {bits, 1.0 * p["ADDRESS_BITS"], 1}, 0, 0, 2};
}

Structure output_writer(const Values& p) {
  return {{8.0 * p["INPUT_CHANNELS"], 1}, {8.0 * p["INPUT_CHANNELS"], 1.0 * p["ADDRESS_BITS"], 1}, 0, 0, 2};
}

Structure packer(const Values& p) {
  const double beat = p["BEAT_BYTES"], word = p["WORD_BYTES"];
  return {{word, beat, 1}, {word, beat, 1}};
}

// Between a beat's slots and the banks of a store values turn; a LUT chooses among four, for two bits of how far.
struct Graded {
  int per_beat, place_bits;
  double turned;
  Graded(const Values& p, int width)
      : per_beat(p["BEAT_BITS"] / p["WORD_BITS"] * (p["WORD_BITS"] / p["SLOT_BITS"])),
        place_bits(base::ceil_log2(per_beat + 1)),
        turned(1.0 * per_beat * width * ceil_div(base::ceil_log2(per_beat), 2)) {}
};

// Beside each value turns whether it is the run's; every bank has an address.
Structure graded_decoder(const Values& p) {
  const Graded g(p, p["VALUE_BITS"] + 1);
  return {{g.turned, 1.0 * g.per_beat, 1}, {1.0 * g.place_bits, 1}};
}

// Places are counted modulo the values of a beat, which comes for nothing where these are a power of two.
Structure graded_encoder(const Values& p) {
  const Graded g(p, p["VALUE_BITS"]);
  const int wires = g.per_beat * p["VALUE_BITS"] + p["BEAT_BITS"] / 8;
  const bool modulo = g.per_beat != 1 << base::ceil_log2(g.per_beat);
  return {{g.turned, 1.0 * g.per_beat, modulo ? 1.0 : 0.0, 1}, {1.0 * wires, 1.0 * g.place_bits, 1}};
}

struct Twin {
  const char* name;
  Structure (*structure)(const Values&);
  Parameters defaults;
};

const std::vector<Twin>& table() {
  static const Parameters array{{"ROWS", 3}, {"COLS", 3}, {"INPUT_CHANNELS", 8}, {"OUTPUT_CHANNELS", 8}};
  static const auto array_and = [](Parameters more) {
    more.insert(array.begin(), array.end());
    return more;
  };
  static const std::vector<Twin> twins{
      {"stream_register", stream_register, {{"WIDTH", 8}}},
      {"command_registers", constant, {}},
      {"sequencer", sequencer, array},
      {"job_store", job_store, {{"READERS", 5}}},
      {"stream_receiver", stream_receiver, {{"BEAT_BYTES", 16}, {"ADDRESS_BITS", 16}}},
      {"ping_pong", ping_pong, {{"WRITE_BYTES", 16}, {"READ_BYTES", 8}, {"HALF_BYTES", 24576}, {"RESIDENT_BYTES", 0}}},
      {"bias_buffer", bias_buffer, {{"OUTPUT_CHANNELS", 8}, {"BEAT_BYTES", 16}, {"HALF_BYTES", 4096}}},
      {"hidden_state", hidden_state, {{"INPUT_CHANNELS", 8}, {"OUTPUT_CHANNELS", 8}, {"BLOCKS", 128}}},
      {"line_buffer", line_buffer, array_and({{"LINE_COLUMNS", 256}})},
      {"sliding_window", sliding_window, array},
      {"mac_array", mac_array, array_and({{"MULTIPLIER", 1}, {"SHADOW", 1}})},
      {"reload_controller", reload_controller, {{"INPUTS", 9}, {"COEFFICIENT_BITS", 8}}},
      {"lut_multiplier",
       lut_multiplier,
       {{"INPUTS", 9}, {"INPUT_BITS", 8}, {"COEFFICIENT_BITS", 8}, {"FAITHFUL", 0}, {"SHADOW", 1}}},
      {"compressor_tree",
       compressor_tree,
       {{"INPUTS", 9}, {"INPUT_BITS", 8}, {"COEFFICIENT_BITS", 8}, {"FAITHFUL", 0}}},
      {"dual_int8_mac", dual_int8_mac, {{"TERMS", 7}, {"SHIFT", 18}}},
      {"weight_reader", weight_reader, array},
      {"adder_tree", adder_tree, array_and({{"SUM_BITS", 0}})},
      {"accumulator", accumulator,
       array_and({{"ACCUMULATOR_DEPTH", 2048}, {"ACCUMULATOR_BITS", 32}, {"SUM_BITS", 23}})},
      {"tile_engine",
       tile_engine,
       {{"TM", 4},
        {"TN", 3},
        {"BY_INPUT", 0},
        {"DSP_CHANNELS", 4},
        {"ACCUMULATOR_BITS", 32},
        {"OUTPUT_WORDS", 16},
        {"HALVES", 2}}},
      {"quantiser", quantiser, {{"OUTPUT_CHANNELS", 8}, {"OPERAND_BITS", 16}, {"HALF_UP", 0}}},
      {"pooling", pooling, {{"OUTPUT_CHANNELS", 8}, {"KERNEL", 3}, {"OPEN", 3}, {"DEPTH", 1024}}},
      {"activation", activation, array},
      {"recurrent_cell", recurrent_cell, {{"OUTPUT_CHANNELS", 8}, {"BLOCKS", 128}}},
      {"output_store", output_store, {{"OUTPUT_CHANNELS", 8}, {"ADDRESS_BITS", 12}}},
      {"output_writer", output_writer, {{"INPUT_CHANNELS", 8}, {"OUTPUT_CHANNELS", 8}, {"ADDRESS_BITS", 12}}},
      {"packer", packer, {{"BEAT_BYTES", 16}, {"WORD_BYTES", 16}}},
      {"graded_decoder", graded_decoder, {{"VALUE_BITS", 8}, {"SLOT_BITS", 8}, {"WORD_BITS", 32}, {"BEAT_BITS", 32}}},
      {"graded_encoder", graded_encoder, {{"VALUE_BITS", 8}, {"SLOT_BITS", 8}, {"WORD_BITS", 32}, {"BEAT_BITS", 32}}},
  };
  return twins;
}

double sum(const std::vector<double>& structures, const std::vector<double>& costs) {
  if (structures.size() != costs.size()) throw std::logic_error("yosys_coefficients.cpp does not fit twins.cpp");
  return std::inner_product(structures.begin(), structures.end(), costs.begin(), 0.0);
}

}  // namespace

std::vector<std::string> twins() {
  std::vector<std::string> names;
  for (const Twin& twin : table()) names.emplace_back(twin.name);
  return names;
}

Structure structure(const std::string& twin, const Parameters& parameters) {
  for (const Twin& known : table()) {
    if (known.name == twin) return known.structure(Values(parameters, known.defaults));
  }
  throw std::logic_error("no twin " + twin);
}

TwinUse twin_use(const std::string& twin, const Parameters& parameters) {
  const Structure s = structure(twin, parameters);
  for (const TwinCoefficients& c : yosys_coefficients()) {
    if (c.twin == twin) return {sum(s.lut, c.lut), sum(s.ff, c.ff), s.srl, s.bram36, s.dsp};
  }
  throw std::logic_error("no coefficients of twin " + twin);
}

arch::Resources TwinUse::resources() const {
  return {dsp, static_cast<int>(std::lround(lut)) + srl, static_cast<int>(std::lround(ff)), bram36};
}

}  // namespace fansim::estimate
