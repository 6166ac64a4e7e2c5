// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/reorganise.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "accelerators/tiled/config/packing.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/config/weight_runs.h"
#include "base/interrupt.h"
#include "base/workers.h"

namespace fansim::tiled {

namespace {

using Codes = std::vector<std::uint16_t>;

// Takes `count` codes at a distance of `step`.
template <bool Two>
void take(const WeightCodes& codes, std::int64_t first, std::int64_t step, int count, std::uint16_t* to) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(codes.bytes) + first * (Two ? 2 : 1);
  for (int i = 0; i < count; ++i, from += step * (Two ? 2 : 1))
    to[i] = static_cast<std::uint16_t>(Two ? from[0] | from[1] << 8 : from[0]);
}

void take(const WeightCodes& codes, std::int64_t first, std::int64_t step, int count, std::uint16_t* to) {
  codes.two ? take<true>(codes, first, step, count, to) : take<false>(codes, first, step, count, to);
}

class Reorganiser {
 public:
  Reorganiser(const WeightCodes& codes, const TiledJob& job, const EngineConfig& engine, const Encoding& encoding,
              std::uint8_t* image)
      : codes_(codes),
        job_(job),
        nest_(job, engine),
        encoding_(encoding),
        weights_(job, engine, encoding, true),
        image_(image) {}

  // Packs tiles on several threads if there is enough work.
  void tiles() const {
    constexpr std::int64_t kWorthIt = std::int64_t{1} << 20;
    const std::vector<WeightTile> tiles = in_order();
    base::Workers(weights_.bytes() < kWorthIt ? 1 : base::cores()).each(tiles.size(), [&](std::size_t i) {
      base::stop_if_interrupted();
      std::uint8_t* const to = image_ + tiles[i].number * nest_.tile_beats(encoding_) * encoding_.beat_bytes();
      nest_.fc_engine() ? fully_connected(tiles[i], to) : convolution(tiles[i], to);
    });
  }

 private:
  std::vector<WeightTile> in_order() const {
    std::vector<WeightTile> tiles;
    if (nest_.fc_engine()) {
      for (int block = 0; block < nest_.fc_blocks(); ++block)
        for (int bo = 0; bo < nest_.fc_m_tiles(); ++bo)
          for (int bi = 0; bi < nest_.fc_k_tiles(block); ++bi) tiles.push_back(weights_.fc_tile(block, bo, bi));
    } else {
      for (int bo = 0; bo < nest_.m_tiles(); ++bo)
        for (int bi = 0; bi < nest_.n_tiles(); ++bi) tiles.push_back(weights_.conv_tile(bo, bi));
    }
    return tiles;
  }

  // Follows the paper's loops: kernel position i and input ti; outputs to and s of a row.
  void convolution(const WeightTile& tile, std::uint8_t* to) const {
    Codes row(static_cast<std::size_t>(nest_.tm()));
    for (int i = 0; i < job_.steps(); ++i)
      for (int ti = 0; ti < nest_.tn(); ++ti, to += encoding_.beats(nest_.tm()) * encoding_.beat_bytes()) {
        take_outputs(tile, 0, ti, i, row.data());
        pack(row, encoding_, to);
      }
  }

  void fully_connected(const WeightTile& tile, std::uint8_t* to) const {
    Codes row(static_cast<std::size_t>(nest_.tile_values()));
    std::uint16_t* outputs = row.data();
    for (int j = 0; j < job_.fc_steps; ++j)
      for (int g = 0; g < job_.fc_groups; ++g)
        for (int ti = 0; ti < nest_.tn(); ++ti, outputs += nest_.tm())
          take_outputs(tile, g * nest_.tm(), j * nest_.tn() + ti, 0, outputs);
    pack(row, encoding_, to);
  }

  // Takes the codes of tm outputs of a tile, from `first` on.
  void take_outputs(const WeightTile& tile, int first, int input, int step, std::uint16_t* to) const {
    const std::int64_t inputs = job_.instruction.in_channels, steps = nest_.fc_engine() ? 1 : job_.steps();
    const int exist = input < tile.inputs ? std::clamp(tile.outputs - first, 0, nest_.tm()) : 0;
    const std::int64_t weight = std::int64_t{tile.first_output + first} * inputs + tile.first_input + input;
    take(codes_, weight * steps + step, inputs * steps, exist, to);
    std::fill(to + exist, to + nest_.tm(), std::uint16_t{0});
  }

  const WeightCodes codes_;
  const TiledJob job_;
  const TileNest nest_;
  const Encoding encoding_;
  const WeightExtents weights_;
  std::uint8_t* const image_;
};

void in_natural_order(const WeightCodes& codes, std::int64_t count, const Encoding& encoding, std::uint8_t* image) {
  const std::int64_t part = std::int64_t{encoding.per_beat()} << 14;
  Codes some;
  for (std::int64_t at = 0; at < count; at += part, image += encoding.beats(part) * encoding.beat_bytes()) {
    base::stop_if_interrupted();
    some.resize(static_cast<std::size_t>(std::min(part, count - at)));
    take(codes, at, 1, static_cast<int>(some.size()), some.data());
    pack(some, encoding, image);
  }
}

}  // namespace

void weight_image(const WeightCodes& codes, const TiledJob& job, const EngineConfig& engine, const Encoding& encoding,
                  bool reorganised, std::uint8_t* image) {
  if (reorganised) {
    Reorganiser(codes, job, engine, encoding, image).tiles();
    return;
  }
  const Instruction& layer = job.instruction;
  in_natural_order(codes, std::int64_t{layer.out_channels} * layer.in_channels * job.steps(), encoding, image);
}

}  // namespace fansim::tiled
