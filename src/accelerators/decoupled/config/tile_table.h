// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace fansim::decoupled {

enum class Threads { none, outputs, rows };

// What a tile has at most: rows and columns of outputs, input and output channels; 0: as many as the buffers hold.
struct TileLimits {
  int rows = 0, columns = 0, inputs = 0, outputs = 0;
  Threads threads = Threads::none;
};

// A layer's by its name, where they are not the schedule's own.
using TileTable = std::map<std::string, TileLimits>;

// Columns layer,rows,columns,inputs,outputs,threads in any order; throws base::UserError. `file` is what it says.
TileTable parse_tile_table(const std::string& text, const std::string& file);

}  // namespace fansim::decoupled
