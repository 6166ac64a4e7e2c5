// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::importer {

// Holds a row of a topology table of SCALE-Sim: a convolution without padding, or a GEMM.
struct TopologyLayer {
  std::string row;   // its name in the table
  std::string file;  // a valid file name, unique in the table
  int line = 0;
  int channels = 1, height = 1, width = 1;
  int filters = 1, kernel = 1, stride = 1, groups = 1;
  std::string remark;  // what its numbers do not say
};

// Names a row that is wrong, or that no layer can represent.
struct RefusedRow {
  std::string row;
  int line = 0;
  std::string reason;
};

struct Topology {
  std::vector<TopologyLayer> layers;
  std::vector<RefusedRow> refused;
};

// Throws UserError with line and column if the file is no such table. A row that cannot be imported loses only itself.
Topology read_topology(const std::string& path);

// Writes the row as an int8 network of one layer (docs/networks.md).
std::string network_text(const TopologyLayer& layer);

}  // namespace fansim::importer
