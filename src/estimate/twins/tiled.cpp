// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/twins/pairwise_sum.h"
#include "estimate/twins/twin.h"

namespace fansim::estimate {
namespace {

using base::ceil_div;

// Products are made in slices or LUTs, and their inputs are registered once per input channel. Entry, first, last and,
// where there are two block RAMs, the half wait in shift registers if they wait for three edges or more.
Structure tile_engine(const Values& p) {
  const int tm = p["TM"], tn = p["TN"], total = p["ACCUMULATOR_BITS"], halves = p["HALVES"];
  const int chosen = std::min(p["DSP_CHANNELS"], p["BY_INPUT"] == 1 ? tn : tm);
  const int slices = p["BY_INPUT"] == 1 ? chosen * tm : chosen * tn, luts = tm * tn - slices;
  const int inputs = luts == 0 ? 0 : p["BY_INPUT"] == 1 ? tn - chosen : tn;
  const int levels = base::ceil_log2(tn), entry = std::max(1, base::ceil_log2(p["OUTPUT_WORDS"]));
  const PairwiseSum tree(tn, 16, levels, 16 + levels, false);
  const bool waits = levels >= 2;
  const int srl = (waits ? entry : 0) + (waits || halves == 1 ? 1 : 0) + 2;
  return {{1.0 * tm * (tree.adder_bits + total), 1.0 * luts, 1.0 * tm * total * (halves - 1), 1},
          {1.0 * tm * (tree.ff + tree.bits + total) + 9 * inputs, 1.0 * luts, 1.0 * entry, 1},
          tm * tree.srl + srl,
          halves * yosys_bram36(tm * total, p["OUTPUT_WORDS"]),
          slices};
}

// Values are rotated between the slots of a beat and the banks of a store. One LUT selects among four, which takes two
// bits of the distance.
struct Graded {
  int per_beat, place_bits;
  double turned;
  Graded(const Values& p, int width)
      : per_beat(p["BEAT_BITS"] / p["WORD_BITS"] * (p["WORD_BITS"] / p["SLOT_BITS"])),
        place_bits(base::ceil_log2(per_beat + 1)),
        turned(1.0 * per_beat * width * ceil_div(base::ceil_log2(per_beat), 2)) {}
};

// A flag beside each value, which says whether the value belongs to the run, is rotated too; every bank has an address.
Structure graded_decoder(const Values& p) {
  const Graded g(p, p["VALUE_BITS"] + 1);
  return {{g.turned, 1.0 * g.per_beat, 1}, {1.0 * g.place_bits, 1}};
}

// Places are counted modulo the values of a beat. That costs nothing if their number is a power of two.
Structure graded_encoder(const Values& p) {
  const Graded g(p, p["VALUE_BITS"]);
  const int wires = g.per_beat * p["VALUE_BITS"] + p["BEAT_BITS"] / 8;
  const bool modulo = g.per_beat != 1 << base::ceil_log2(g.per_beat);
  return {{g.turned, 1.0 * g.per_beat, modulo ? 1.0 : 0.0, 1}, {1.0 * wires, 1.0 * g.place_bits, 1}};
}

}  // namespace

const std::vector<Twin>& tiled_twins() {
  static const std::vector<Twin> twins{
      {"tile_engine",
       tile_engine,
       {{"TM", 4},
        {"TN", 3},
        {"BY_INPUT", 0},
        {"DSP_CHANNELS", 4},
        {"ACCUMULATOR_BITS", 32},
        {"OUTPUT_WORDS", 16},
        {"HALVES", 2}}},
      {"graded_decoder", graded_decoder, {{"VALUE_BITS", 8}, {"SLOT_BITS", 8}, {"WORD_BITS", 32}, {"BEAT_BITS", 32}}},
      {"graded_encoder", graded_encoder, {{"VALUE_BITS", 8}, {"SLOT_BITS", 8}, {"WORD_BITS", 32}, {"BEAT_BITS", 32}}},
  };
  return twins;
}

}  // namespace fansim::estimate
