// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::importer {

// A row of a topology table of SCALE-Sim: one convolution without padding, of which a GEMM is one too.
struct TopologyLayer {
  std::string row;   // its name in the table
  std::string file;  // that serves as a file's name, unique in the table
  int line = 0;
  int channels = 1, height = 1, width = 1;
  int filters = 1, kernel = 1, stride = 1, groups = 1;
  std::string remark;  // what its numbers do not say
};

// A row that no layer stands for.
struct RefusedRow {
  std::string row;
  int line = 0;
  std::string reason;
};

struct Topology {
  std::vector<TopologyLayer> layers;
  std::vector<RefusedRow> refused;
};

// UserError with line and column if the file is no such table.
Topology read_topology(const std::string& path);

// The row as an int8 network of one layer (docs/networks.md).
std::string network_text(const TopologyLayer& layer);

}  // namespace fansim::importer
