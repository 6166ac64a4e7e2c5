// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/reorganise.h"

#include "accelerators/tiled/config/packing.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/config/weight_runs.h"
#include "base/interrupt.h"

namespace fansim::tiled {

namespace {

class Reorganiser {
 public:
  Reorganiser(const std::vector<std::uint16_t>& codes, const TiledJob& job, const EngineConfig& engine,
              const Encoding& encoding)
      : codes_(codes), job_(job), nest_(job, engine), encoding_(encoding), weights_(job, engine, encoding, true) {}

  std::vector<std::uint8_t> image() {
    if (nest_.fc_engine())
      fully_connected();
    else
      convolution();
    return std::move(image_);
  }

 private:
  // The paper's loops: blocks of outputs bo and of inputs bi, kernel position i, input ti; outputs to and s of a row.
  void convolution() {
    for (int bo = 0; bo < nest_.m_tiles(); ++bo)
      for (int bi = 0; bi < nest_.n_tiles(); ++bi) {
        const WeightTile tile = weights_.conv_tile(bo, bi);
        for (int i = 0; i < job_.steps(); ++i)
          for (int ti = 0; ti < nest_.tn(); ++ti) {
            add_outputs(tile, 0, ti, i);
            end_row();
          }
      }
  }

  void fully_connected() {
    for (int block = 0; block < nest_.fc_blocks(); ++block)
      for (int bo = 0; bo < nest_.fc_m_tiles(); ++bo)
        for (int bi = 0; bi < nest_.fc_k_tiles(block); ++bi) {
          const WeightTile tile = weights_.fc_tile(block, bo, bi);
          for (int j = 0; j < job_.fc_steps; ++j)
            for (int g = 0; g < job_.fc_groups; ++g)
              for (int ti = 0; ti < nest_.tn(); ++ti) add_outputs(tile, g * nest_.tm(), j * nest_.tn() + ti, 0);
          end_row();
        }
  }

  // tm outputs of a tile from `first` on.
  void add_outputs(const WeightTile& tile, int first, int input, int step) {
    const int steps = nest_.fc_engine() ? 1 : job_.steps();
    for (int output = first; output < first + nest_.tm(); ++output) {
      const std::int64_t weight =
          std::int64_t{tile.first_output + output} * job_.instruction.in_channels + tile.first_input + input;
      const bool exists = output < tile.outputs && input < tile.inputs;
      row_.push_back(exists ? codes_[static_cast<std::size_t>(weight * steps + step)] : std::uint16_t{0});
    }
  }

  void end_row() {
    base::stop_if_interrupted();
    const std::vector<std::uint8_t> beats = pack(row_, encoding_);
    image_.insert(image_.end(), beats.begin(), beats.end());
    row_.clear();
  }

  const std::vector<std::uint16_t>& codes_;
  const TiledJob job_;
  const TileNest nest_;
  const Encoding encoding_;
  const WeightRuns weights_;
  std::vector<std::uint16_t> row_;
  std::vector<std::uint8_t> image_;
};

}  // namespace

std::vector<std::uint8_t> weight_image(const std::vector<std::uint16_t>& codes, const TiledJob& job,
                                       const EngineConfig& engine, const Encoding& encoding, bool reorganised) {
  return reorganised ? Reorganiser(codes, job, engine, encoding).image() : pack(codes, encoding);
}

}  // namespace fansim::tiled
