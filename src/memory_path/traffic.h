// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "memory_path/path_config.h"

namespace fansim::memory_path {

// One generator: bursts of one length one after another through a window, and again from its start.
struct Traffic {
  int port = 0;  // index into PathConfig::ports
  bool write = false;
  std::int64_t burst_bytes = 0;
  std::int64_t stride_bytes = 0;
  std::uint64_t base = 0;
  std::int64_t window_bytes = 0;
};

// Rows that run together; `rows` are their places among all rows of the file, under the header.
struct TrafficCase {
  std::string name;
  std::vector<Traffic> traffic;
  std::vector<std::size_t> rows;
};

struct TrafficFile {
  std::vector<base::CsvRow> rows;  // the header first
  std::vector<TrafficCase> cases;
};

TrafficFile parse_traffic(std::string_view text, const std::string& file, const PathConfig& config);

}  // namespace fansim::memory_path
