// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "papers/faq_parts.h"
#include "papers/faq_simulation.h"

namespace fansim::papers {
namespace {

constexpr int kInputBits = 32, kWeightBits = 256;  // widths of the build's streams

// Names a layer whose tiles are all complete, and the layers of Table 2 that it represents.
struct Tile {
  const char* layer;
  const char* stands_for;
  double outputs;                    // outputs of the layer
  double input_bytes, weight_bytes;  // bytes of a tile: 24 channels; 128 x 24 kernels

  // Returns the beats of the weights alone. The layer's parameters, eight bytes per output, come over the same stream
  // and are subtracted.
  double weight_beats(const FaqSimulation& run, int bits) const {
    const FaqSimulation::Load load = run.weights(layer);
    return (load.beats - outputs * 64 / bits) / load.tiles;
  }
  double input_beats(const FaqSimulation& run) const { return run.inputs(layer).beats / run.inputs(layer).tiles; }
};
constexpr Tile kConv2{"conv2", "conv2", 256, 24 * 27 * 27, 128 * 24 * 5 * 5};
constexpr Tile kConv4{"conv4", "conv3-5", 384, 24 * 13 * 13, 128 * 24 * 3 * 3};

const char* const kTable2 = "derived: a tile's bytes in whole beats, one a cycle; Table 2's cells are lost";
const char* const kTable6 = "Table 6; its cells cannot be read any more";

// Maps the width of both streams to a run of the convolutions.
using Widths = std::map<int, FaqSimulation>;

Widths simulate_widths() {
  Widths runs;
  for (int bits = 8; bits <= 512; bits *= 2) {
    const std::vector<std::string> settings{fmt::format("load.input_bits={}", bits),
                                            fmt::format("load.weight_bits={}", bits)};
    runs.emplace(bits, FaqSimulation("dorefa8", settings, "conv1..conv5"));
  }
  return runs;
}

void add_table2(FaqRows& rows, const Widths& runs) {
  const auto beats = [](double bytes, int bits) { return std::ceil(8 * bytes / bits); };
  for (const Tile& tile : {kConv2, kConv4}) {
    for (const auto& [bits, run] : runs)
      rows.add(fmt::format("LI of a tile, {}, {} bit", tile.stands_for, bits), "cycles", beats(tile.input_bytes, bits),
               tile.input_beats(run), 0, report::derived(kTable2));
    for (const auto& [bits, run] : runs)
      rows.add(fmt::format("LW of a tile, {}, {} bit", tile.stands_for, bits), "cycles", beats(tile.weight_bytes, bits),
               tile.weight_beats(run, bits), 0, report::derived(kTable2));
  }
}

using Stream = FaqSimulation::Load (FaqSimulation::*)(const std::string&) const;

// Returns the smallest width at which, in every layer, loading a tile takes no more cycles than computing it, the
// memory included.
double smallest_sufficient(const Widths& runs, Stream stream) {
  for (const auto& width : runs) {
    const FaqSimulation& run = width.second;
    const auto sufficient = [&run, stream](const char* layer) {
      return (run.*stream)(layer).cycles_per_tile() <= run.computing_per_tile(layer);
    };
    if (std::all_of(std::begin(FaqSimulation::kConvolutions), std::end(FaqSimulation::kConvolutions), sufficient))
      return width.first;
  }
  return 0;
}

void add_widths(FaqRows& rows, const Widths& runs) {
  const char* where = "4.2; the stream alone loads a tile, memory and all, in no more cycles than computing takes";
  rows.add("smallest sufficient width of weights", "bit", 256, smallest_sufficient(runs, &FaqSimulation::weights), 0,
           where);
  rows.add("smallest sufficient width of inputs", "bit", 32, smallest_sufficient(runs, &FaqSimulation::inputs), 0,
           where);
  const auto cycles = [&runs](int bits, Stream stream) { return (runs.at(bits).*stream)("conv4").cycles_per_tile(); };
  const double li = cycles(kInputBits, &FaqSimulation::inputs), lw = cycles(kWeightBits, &FaqSimulation::weights);
  rows.add("LI and LW of a tile one after the other, conv3-5", "cycles", {}, li + lw, {},
           "the joint effect: with both widths sufficient the tile still takes longer to load than its 1,521 cycles of "
           "computing, as one load function serves both streams");
  rows.add("gain of encoded weights, 8 to 256 bit, beats", "x", 32,
           kConv4.weight_beats(runs.at(8), 8) / kConv4.weight_beats(runs.at(kWeightBits), kWeightBits), 0,
           report::derived("4.2: in theory 32 times"));
  rows.add("gain of encoded weights, 8 to 256 bit, cycles", "x", 32, cycles(8, &FaqSimulation::weights) / lw, {},
           "the same with the memory behind it");
  rows.add("gain of encoded inputs, 8 to 32 bit, beats", "x", 4,
           kConv4.input_beats(runs.at(8)) / kConv4.input_beats(runs.at(kInputBits)), 0,
           report::derived("4.2: four times"));
  rows.add("gain of encoded inputs, 8 to 32 bit, cycles", "x", 4, cycles(8, &FaqSimulation::inputs) / li, {},
           "the same with the memory behind it");
}

double bytes_per_second(double bytes, const FaqSimulation::Load& load) {
  return bytes * FaqSimulation::kClockHz / load.cycles_per_tile();
}

void add_table6(FaqRows& rows, const FaqSimulation& run) {
  const FaqSimulation scattered("dorefa8", {"load.reorganise=false"}, "conv1..conv5");
  const auto weights = [](const FaqSimulation& r, const Tile& t) {
    return bytes_per_second(t.weight_bytes, r.weights(t.layer)) / kGib;
  };
  const auto inputs = [&run](const Tile& t) { return bytes_per_second(t.input_bytes, run.inputs(t.layer)) / kMib; };
  rows.add("burst of a reorganised weight tile, conv3-5", "B", 27648,
           kConv4.weight_beats(run, kWeightBits) * kWeightBits / 8, 0,
           report::derived("4.5, Table 6: 27 KB; derived: 128 x 24 x 3 x 3"));
  rows.add("best bandwidth of reorganised weights", "GiB/s", 4.77, std::max(weights(run, kConv2), weights(run, kConv4)),
           5, "4.5, Table 6, read as binary; each tile from its first request to its last data");
  rows.lost("bandwidth of reorganised weights, conv3-5", "GiB/s", weights(run, kConv4), kTable6);
  rows.lost("bandwidth of weights as trained, conv2", "GiB/s", weights(scattered, kConv2), kTable6);
  rows.lost("bandwidth of weights as trained, conv3-5", "GiB/s", weights(scattered, kConv4), kTable6);
  rows.add("best bandwidth of inputs", "MiB/s", 715, std::max(inputs(kConv2), inputs(kConv4)), 5,
           report::fitted("4.5, Table 6, read as binary; not reorganised; load.gap is a fit to it"));
  rows.lost("bandwidth of inputs, conv3-5", "MiB/s", inputs(kConv4), kTable6);
  const auto five = [](const FaqSimulation& r) {
    double cycles = 0;
    for (const char* layer : FaqSimulation::kConvolutions) cycles += r.cycles(layer);
    return cycles;
  };
  rows.add("five convolutions without reorganised weights", "x", {}, five(scattered) / five(run), {},
           "time beside the same with them; not published");
  rows.add("five convolutions without encoding, 2-bit DoReFa", "x", {},
           five(FaqSimulation("dorefa2", {"load.encode=false", "weights.kib=100"}, "conv1..conv5")) /
               five(FaqSimulation("dorefa2", {}, "conv1..conv5")),
           {}, "time beside the same with it, a value a byte; not published");
}

}  // namespace

void add_faq_loads(FaqRows& rows) {
  const Widths widths = simulate_widths();
  add_table2(rows, widths);
  add_widths(rows, widths);
  add_table6(rows, FaqSimulation("dorefa8", {}, "conv1..conv5"));
}

}  // namespace fansim::papers
