// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/config/tile_output.h"
#include "accelerators/tiled/config/weight_runs.h"
#include "accelerators/tiled/values/padded_map.h"
#include "base/lines.h"
#include "contract/host_steps.h"
#include "contract/program.h"

namespace fansim::tiled {

// Computes one job, from its input map in memory to its output map there. Each sum is added up in the order of
// tiled::PointNest: input-channel tiles, then steps; on the FC engine input blocks, tiles, steps. Where an engine does
// a tile point by point, this does all points of the map at once.
template <class Arithmetic>
class JobValues {
 public:
  JobValues(const Config& config, const TiledJob& job, const LayerJobs& layer, std::uint8_t* memory);

  // Returns what saturated.
  arith::Saturation run(const contract::ProgressCallback& progress);

 private:
  using Input = typename Arithmetic::Input;
  using Weight = typename Arithmetic::Weight;
  using Sum = typename Arithmetic::Sum;
  using Total = typename Arithmetic::Total;

  void read_tile(const WeightTile& tile);
  void convolve(int m);
  void add_tile(int n, int pitch);
  void add(const Input* x, const Weight* set, int pitch, Sum* sums) const;
  void add_raise(const Weight* set, int pitch, Sum* excess) const;
  void connect(const contract::ProgressCallback& progress);
  void add_vector_tile(int block, int m, int k);
  void finish_maps(int m);
  void finish_vector();
  void store_maps(int m);
  void store(const Region& region, int first, int channels);
  void find_read();
  void finish_points(int first, int points, const Total* totals, const ChannelParameters& record, std::int16_t* to);
  ChannelParameters parameters(int channel) const;

  const Config& config_;
  const TiledJob job_;
  const std::vector<typename Arithmetic::Value>& values_;  // of weight codes
  std::uint8_t* const memory_;
  const TileNest nest_;
  const WeightExtents weight_runs_;
  const TileOutput output_;
  const int conv_rows_, conv_columns_;
  const PaddedMap<Arithmetic> inputs_;
  std::vector<std::uint16_t> codes_;  // codes of a weight tile, as in level 1
  base::Lines<Weight> sets_;          // sets of a weight tile; a single set on the FC engine
  base::Lines<Sum> sums_;             // [point][channel]
  // Holds what raised inputs add to the sums: [channel], on the FC engine [point][channel].
  base::Lines<Sum> excess_;
  std::vector<std::int16_t> maps_;  // [channel][row][column], before pooling, then after it
  std::vector<std::int16_t> pooled_;
  // Says which sums of the map a tile reads, if some are not read by any; empty: all are.
  std::vector<bool> read_;
  arith::Saturation saturation_;
};

}  // namespace fansim::tiled
