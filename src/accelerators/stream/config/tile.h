// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/stream/config/command.h"

namespace fansim::stream {

// Holds a complete tile of outputs in a half of the output buffer, and the job that made it.
struct Tile {
  int half = 0;
  Command job;
  template <class F>
  void wires(F&& f) const {
    f("half", static_cast<std::uint64_t>(half), 1);
  }
};

// Describes how a tile is written: as `rows` x `planes` transfers of `bytes` bytes, which are contiguous in the buffer
// in that order. Planes and rows that are contiguous in DDR too form one transfer.
struct TileShape {
  int rows = 1;
  int planes = 1;
  int bytes = 0;
};

inline TileShape shape_of(const Command& job, int word_bytes, int pixel_bytes) {
  const int groups = job.recurrent_output ? job.groups / 4 : job.groups;
  TileShape shape{job.tile_rows, groups * (pixel_bytes / word_bytes), job.output_columns * word_bytes};
  if (shape.planes == 1 || job.plane_pitch == shape.bytes) {
    shape.bytes *= shape.planes;
    shape.planes = 1;
    if (shape.rows == 1 || job.row_pitch == shape.bytes) {
      shape.bytes *= shape.rows;
      shape.rows = 1;
    }
  }
  return shape;
}

}  // namespace fansim::stream
