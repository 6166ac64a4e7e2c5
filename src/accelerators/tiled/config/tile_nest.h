// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "contract/pool_axis.h"

namespace fansim::tiled {

// Says where a map lies in memory. It consists of blocks of channels, each of which is aligned. A block is one array of
// encoded values [channel][row][column], whose planes and rows may be padded.
struct MapPlace {
  std::uint32_t address = 0;
  int channels = 1, rows = 1, columns = 1;
  int block_channels = 1;
  int block_bytes = 0;
  int plane = 1;  // in values
  int row = 1;    // in values
  int first = 0;  // the channel of the map that is channel 0 here

  static constexpr int kAlignment = 64;  // of a block: the widest beat
  std::uint32_t block(int channel) const {
    return address +
           static_cast<std::uint32_t>((first + channel) / block_channels) * static_cast<std::uint32_t>(block_bytes);
  }
  // Returns the index of a value within its block.
  std::int64_t index(int channel, int y, int x) const {
    return std::int64_t{(first + channel) % block_channels} * plane + std::int64_t{y} * row + x;
  }
};

inline MapPlace input_place(const TiledJob& j) {
  return {j.input_address,     j.instruction.in_channels, j.instruction.height, j.instruction.width,
          j.in_block_channels, j.in_block_bytes,          j.in_plane,           j.in_row,
          j.in_first};
}
inline MapPlace output_place(const TiledJob& j) {
  return {j.output_address,     j.instruction.out_channels, j.out_rows,  j.out_columns,
          j.out_block_channels, j.out_block_bytes,          j.out_plane, j.out_row,
          j.out_first};
}

struct Region {
  int row = 0, column = 0, rows = 0, columns = 0;
  int size() const { return rows * columns; }
};

// Describes the loops that every stage walks by itself: for m < m_tiles, y, x (output tiles), then n < n_tiles
// (input-channel tiles). The FC engine has n blocks of the input vector outermost, then m blocks of fc_groups x tm
// outputs, then k tiles of fc_steps x tn inputs.
class TileNest {
 public:
  TileNest(const TiledJob& job, const EngineConfig& engine) : j_(job), tm_(engine.tm), tn_(engine.tn) {}

  int tm() const { return tm_; }
  int tn() const { return tn_; }
  int m_tiles() const { return base::ceil_div(j_.instruction.out_channels, tm_); }
  int n_tiles() const { return base::ceil_div(j_.instruction.in_channels, tn_); }
  int y_tiles() const { return base::ceil_div(j_.out_rows, j_.tile_rows); }
  int x_tiles() const { return base::ceil_div(j_.out_columns, j_.tile_columns); }
  int output_tiles() const { return m_tiles() * y_tiles() * x_tiles(); }

  int out_channels(int m) const { return std::min(tm_, j_.instruction.out_channels - m * tm_); }
  int in_channels(int n) const { return std::min(tn_, j_.instruction.in_channels - n * tn_); }

  // Returns the points of the whole layer; the engine computes each in a cycle.
  std::int64_t points() const {
    if (fc_engine()) {
      std::int64_t steps = 0;
      for (int block = 0; block < fc_blocks(); ++block) steps += fc_k_tiles(block) * j_.fc_steps;
      return steps * fc_m_tiles() * j_.fc_groups;
    }
    std::int64_t sums = 0;
    for (int y = 0; y < y_tiles(); ++y)
      for (int x = 0; x < x_tiles(); ++x) sums += this->sums(output(y, x)).size();
    return sums * j_.steps() * m_tiles() * n_tiles();
  }

  // Return the rows and columns of the convolution's own map.
  int conv_rows() const { return conv_extent(j_.instruction.height, j_.kernel_rows(), fc_padding()); }
  int conv_columns() const { return conv_extent(j_.instruction.width, j_.kernel_columns(), fc_padding()); }

  // Return an output tile after pooling, the sums that it needs, and the part of the input map that these need; all are
  // clipped to their maps.
  Region output(int y, int x) const {
    const int row = y * j_.tile_rows, column = x * j_.tile_columns;
    return {row, column, std::min(j_.tile_rows, j_.out_rows - row), std::min(j_.tile_columns, j_.out_columns - column)};
  }
  Region sums(const Region& out) const {
    if (!j_.instruction.pool()) return out;
    return windows(out, j_.pool_kernel, j_.pool_kernel, j_.pool_stride, j_.pool_padding, conv_rows(), conv_columns());
  }
  // Return the tile's windows over those sums along both axes; without pooling there is a window for each sum.
  contract::PoolAxis pool_rows(const Region& out) const {
    return {j_.pool_kernel, j_.pool_stride, j_.pool_padding + sums(out).row - out.row * j_.pool_stride, sums(out).rows,
            out.rows};
  }
  contract::PoolAxis pool_columns(const Region& out) const {
    return {j_.pool_kernel, j_.pool_stride, j_.pool_padding + sums(out).column - out.column * j_.pool_stride,
            sums(out).columns, out.columns};
  }
  // Returns the edges of the post-processing for the first channels. A sum takes one edge, or one for each output that
  // it completes. A column of windows that closes takes an edge in every row.
  int post_edges(const Region& out) const {
    const contract::PoolAxis rows = pool_rows(out), columns = pool_columns(out);
    return rows.size * columns.closing_none() + columns.windows * (rows.closing_none() + rows.windows);
  }
  Region input(const Region& sums) const {
    return windows(sums, j_.kernel_rows(), j_.kernel_columns(), j_.instruction.stride, fc_padding(),
                   j_.instruction.height, j_.instruction.width);
  }

  // Returns the weights of a reorganised tile: steps x tn rows of tm values, each row padded to whole beats. The FC
  // engine's tile has fc_steps x fc_groups x tn x tm values in one row.
  std::int64_t tile_values() const {
    return fc_engine() ? std::int64_t{j_.fc_steps} * j_.fc_groups * tn_ * tm_ : std::int64_t{j_.steps()} * tn_ * tm_;
  }
  std::int64_t tile_beats(const Encoding& e) const {
    return fc_engine() ? e.beats(tile_values()) : std::int64_t{j_.steps()} * tn_ * e.beats(tm_);
  }

  bool fc_engine() const { return j_.engine == Config::kFc; }
  int fc_blocks() const { return base::ceil_div(j_.instruction.in_channels, j_.fc_block); }
  int fc_inputs(int block) const { return std::min(j_.fc_block, j_.instruction.in_channels - block * j_.fc_block); }
  int fc_k_tiles(int block) const { return base::ceil_div(fc_inputs(block), j_.fc_steps * tn_); }
  int fc_m_tiles() const { return base::ceil_div(j_.instruction.out_channels, j_.fc_groups * tm_); }

 private:
  int fc_padding() const { return j_.instruction.fc() ? 0 : j_.instruction.padding; }
  int conv_extent(int extent, int kernel, int padding) const {
    return (extent + 2 * padding - kernel) / j_.instruction.stride + 1;
  }
  // Returns what windows at `r` cover of a map. Windows that cover only the border give one value, because a tile is
  // never empty.
  static Region windows(const Region& r, int kernel_rows, int kernel_columns, int stride, int padding, int rows,
                        int columns) {
    const int top = std::clamp(r.row * stride - padding, 0, rows - 1);
    const int left = std::clamp(r.column * stride - padding, 0, columns - 1);
    const int bottom = std::min(rows, (r.row + r.rows - 1) * stride - padding + kernel_rows);
    const int right = std::min(columns, (r.column + r.columns - 1) * stride - padding + kernel_columns);
    return {top, left, std::max(1, bottom - top), std::max(1, right - left)};
  }

  TiledJob j_;
  int tm_, tn_;
};

}  // namespace fansim::tiled
