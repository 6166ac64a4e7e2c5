// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "benches/memory/path_config.h"

namespace fansim::benches {

// Describes one generator: it sends bursts of one length through a window, one after another, and then starts again.
struct Traffic {
  int port = 0;  // index into PathConfig::ports
  bool write = false;
  std::int64_t burst_bytes = 0;
  std::int64_t stride_bytes = 0;
  std::uint64_t base = 0;
  std::int64_t window_bytes = 0;
};

// Holds rows that run together. `rows` are their numbers in the file, without the header.
struct TrafficCase {
  std::string name;
  std::vector<Traffic> traffic;
  std::vector<std::size_t> rows;
};

struct TrafficFile {
  std::vector<base::CsvRow> rows;  // including the header
  std::vector<TrafficCase> cases;
};

TrafficFile parse_traffic(std::string_view text, const std::string& file, const PathConfig& config);

}  // namespace fansim::benches
