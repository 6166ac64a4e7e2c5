// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/load_order.h"

namespace fansim::tiled {

InputOrder::InputOrder(const TiledJob& job, const Config& config)
    : job_(job), nest_(job_, config.engine(job.engine)), encoding_(config.input_encoding()) {}

// Returns the tile at the counters, and advances them.
MapExtents InputOrder::next() {
  const MapPlace place = input_place(job_);
  if (nest_.fc_engine()) {
    const MapExtents runs(place, encoding_, n_ * job_.fc_block, nest_.fc_inputs(n_), {0, 0, 1, 1});
    done_ = ++n_ == nest_.fc_blocks();
    return runs;
  }
  const Region region = nest_.input(nest_.sums(nest_.output(y_, x_)));
  const MapExtents runs(place, encoding_, n_ * nest_.tn(), nest_.in_channels(n_), region);
  if (++n_ < nest_.n_tiles()) return runs;
  n_ = 0;
  if (++x_ < nest_.x_tiles()) return runs;
  x_ = 0;
  if (++y_ < nest_.y_tiles()) return runs;
  y_ = 0;
  done_ = ++m_ == nest_.m_tiles();
  return runs;
}

WeightOrder::WeightOrder(const TiledJob& job, const Config& config)
    : nest_(job, config.engine(job.engine)),
      runs_(job, config.engine(job.engine), config.weight_encoding(), config.load.reorganise),
      channels_(job.instruction.out_channels) {}

int WeightOrder::phases() const {
  return nest_.fc_engine() ? nest_.fc_blocks() : nest_.output_tiles() * nest_.n_tiles();
}

int WeightOrder::tiles_of_phase() const { return nest_.fc_engine() ? nest_.fc_m_tiles() * nest_.fc_k_tiles(n_) : 1; }

WeightTile WeightOrder::next() {
  if (nest_.fc_engine()) {
    const WeightTile tile = runs_.fc_tile(n_, m_, k_);
    if (++k_ < nest_.fc_k_tiles(n_)) return tile;
    k_ = 0;
    if (++m_ < nest_.fc_m_tiles()) return tile;
    m_ = 0;
    ++n_;
    return tile;
  }
  const WeightTile tile = runs_.conv_tile(m_, n_);
  if (++n_ < nest_.n_tiles()) return tile;
  n_ = 0;
  if (++repeat_ < nest_.y_tiles() * nest_.x_tiles()) return tile;
  repeat_ = 0;
  ++m_;
  return tile;
}

}  // namespace fansim::tiled
