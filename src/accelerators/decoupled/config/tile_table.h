// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace fansim::decoupled {

enum class Threads { none, outputs, rows };

// Limits a tile: rows and columns of outputs, input and output channels; 0: as many as the buffers hold.
struct TileLimits {
  int rows = 0, columns = 0, inputs = 0, outputs = 0;
  Threads threads = Threads::none;
};

// Maps a layer's name to its limits, if they are not those of the schedule.
using TileTable = std::map<std::string, TileLimits>;

// Reads the columns layer,rows,columns,inputs,outputs,threads in any order. Throws base::UserError. `text` is the
// content of `file`.
TileTable parse_tile_table(const std::string& text, const std::string& file);

}  // namespace fansim::decoupled
