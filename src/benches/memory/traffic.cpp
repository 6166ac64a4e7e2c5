// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace fansim::benches {
namespace {

using base::CsvCell;
using base::CsvRow;
using base::UserError;

enum Column : std::size_t { kCase, kPort, kWrite, kBurst, kStride, kBase, kWindow, kColumns };
const std::vector<std::string> kNames{"case", "port", "write", "burst_bytes", "stride_bytes", "base", "window_bytes"};

using Columns = std::vector<std::size_t>;

// Reads a row by the names of its cells.
class Row {
 public:
  Row(const CsvRow& cells, const Columns& columns) : cells_(cells), columns_(columns) {}

  const CsvCell& operator[](Column column) const { return cells_[columns_[column]]; }
  [[noreturn]] void fail(Column column, const std::string& text) const {
    throw UserError((*this)[column].where, fmt::format("{} {}", kNames[column], text));
  }
  std::int64_t number(Column column, std::uint64_t lo, std::uint64_t hi) const {
    const CsvCell& cell = (*this)[column];
    const std::optional<std::uint64_t> value = base::csv_natural(cell.text);
    if (!value) fail(column, fmt::format("'{}' is no number such as 4096 or 0x1000", cell.text));
    if (*value < lo || *value > hi) fail(column, fmt::format("{} is out of range; allowed: {}..{}", cell.text, lo, hi));
    return static_cast<std::int64_t>(*value);
  }

 private:
  const CsvRow& cells_;
  const Columns& columns_;
};

// Finds a port by its name, or by its number in the order of the configuration.
int port_of(const Row& row, const PathConfig& config) {
  const std::string& text = row[kPort].text;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < config.ports.size(); ++i) {
    names.push_back(config.ports[i].name);
    if (text == names.back() || text == std::to_string(i)) return static_cast<int>(i);
  }
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  row.fail(kPort, fmt::format("'{}' unknown{} ({} has {}, or 0..{})", text, base::did_you_mean(text, names),
                              config.name, known, names.size() - 1));
}

void check_burst(const Row& row, const Traffic& traffic, const PathConfig& config) {
  constexpr std::int64_t kMostBeats = 256;  // AXI4, A3.4.1: burst length
  constexpr std::int64_t kPage = 4096;      // AXI4, A3.4.1: a burst must not cross a 4 KiB boundary
  const std::int64_t beat = config.beat_bytes();
  if (traffic.burst_bytes % beat != 0)
    row.fail(kBurst, fmt::format("{} is no multiple of the port's {} bytes", traffic.burst_bytes, beat));
  if (traffic.burst_bytes > kMostBeats * beat)
    row.fail(kBurst, fmt::format("{} is {} beats of {} bytes; a burst has at most {}", traffic.burst_bytes,
                                 traffic.burst_bytes / beat, beat, kMostBeats));
  if (traffic.stride_bytes < traffic.burst_bytes)
    row.fail(kStride, fmt::format("{} is below burst_bytes {}", traffic.stride_bytes, traffic.burst_bytes));
  if (traffic.stride_bytes % beat != 0)
    row.fail(kStride, fmt::format("{} is no multiple of the port's {} bytes", traffic.stride_bytes, beat));
  if (traffic.base % static_cast<std::uint64_t>(beat) != 0)
    row.fail(kBase, fmt::format("{} is no multiple of the port's {} bytes", row[kBase].text, beat));
  const auto in_page = static_cast<std::int64_t>(traffic.base % kPage);
  if (in_page + traffic.burst_bytes > kPage)
    row.fail(kBurst, fmt::format("{} at base {} crosses a boundary of 4 KiB", traffic.burst_bytes, row[kBase].text));
}

void check_window(const Row& row, const Traffic& traffic, const PathConfig& config) {
  const std::uint64_t memory = config.memory.bytes();
  const auto window = static_cast<std::uint64_t>(traffic.window_bytes);
  if (traffic.window_bytes < traffic.burst_bytes)
    row.fail(kWindow, fmt::format("{} holds no burst of {}", traffic.window_bytes, traffic.burst_bytes));
  if (traffic.base >= memory || window > memory - traffic.base)
    row.fail(kWindow, fmt::format("{} from {} ends beyond the {:#x} bytes of {}", traffic.window_bytes, row[kBase].text,
                                  memory, config.memory.name));
}

Traffic traffic_of(const Row& row, const PathConfig& config) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  Traffic traffic;
  traffic.port = port_of(row, config);
  traffic.write = row.number(kWrite, 0, 1) == 1;
  traffic.burst_bytes = row.number(kBurst, 1, kMost);
  traffic.stride_bytes = row.number(kStride, 1, kMost);
  traffic.base = static_cast<std::uint64_t>(row.number(kBase, 0, kMost));
  traffic.window_bytes = row.number(kWindow, 1, kMost);
  check_burst(row, traffic, config);
  check_window(row, traffic, config);
  return traffic;
}

bool overlap(const Traffic& a, const Traffic& b) {
  return a.base < b.base + static_cast<std::uint64_t>(b.window_bytes) &&
         b.base < a.base + static_cast<std::uint64_t>(a.window_bytes);
}

// Checks a row against the rows above it in the same case.
void check_others(const Row& row, const Traffic& traffic, const TrafficCase& others, const std::vector<CsvRow>& rows) {
  for (std::size_t i = 0; i < others.traffic.size(); ++i) {
    const Traffic& other = others.traffic[i];
    const int line = rows[others.rows[i]][0].where.line;
    if (other.port == traffic.port && other.write == traffic.write)
      row.fail(kPort, fmt::format("{} {} in line {} already, in the same case", row[kPort].text,
                                  traffic.write ? "writes" : "reads", line));
    if (overlap(other, traffic))
      row.fail(kBase, fmt::format("{}: its window overlaps that of line {}", row[kBase].text, line));
  }
}

}  // namespace

TrafficFile parse_traffic(std::string_view text, const std::string& file, const PathConfig& config) {
  TrafficFile result;
  result.rows = base::parse_csv(text, file);
  if (result.rows.empty())
    throw UserError({file, 0, 0},
                    "empty: expected the columns case,port,write,burst_bytes,stride_bytes,base,window_bytes");
  const Columns columns = base::csv_columns(result.rows[0], kNames);
  std::map<std::string, std::size_t> cases;
  for (std::size_t r = 1; r < result.rows.size(); ++r) {
    const CsvRow& cells = result.rows[r];
    base::check_csv_width(cells, kColumns);
    const Row row(cells, columns);
    const Traffic traffic = traffic_of(row, config);
    const auto [place, fresh] = cases.emplace(row[kCase].text, result.cases.size());
    if (fresh) result.cases.push_back({row[kCase].text, {}, {}});
    TrafficCase& one = result.cases[place->second];
    check_others(row, traffic, one, result.rows);
    one.traffic.push_back(traffic);
    one.rows.push_back(r);
  }
  if (result.cases.empty()) throw UserError({file, 0, 0}, "no traffic under the header");
  return result;
}

}  // namespace fansim::benches
