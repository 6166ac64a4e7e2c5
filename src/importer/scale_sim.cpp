// SPDX-License-Identifier: Apache-2.0
#include "importer/scale_sim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "importer/parts.h"

namespace fansim::importer {
namespace {

constexpr std::int64_t kLargest = 1 << 20;

[[noreturn]] void fail(const base::Location& where, const std::string& what) { throw base::UserError(where, what); }

std::string lower(std::string text) {
  std::string plain;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

std::int64_t size_of(const base::CsvCell& cell, const std::string& column) {
  const bool digits =
      !cell.text.empty() && cell.text.size() < 10 && cell.text.find_first_not_of("0123456789") == std::string::npos;
  const std::int64_t value = digits ? std::stoll(cell.text) : 0;
  if (value < 1 || value > kLargest)
    fail(cell.where, fmt::format("{}: expected a size of 1..{}, found '{}'", column, kLargest, cell.text));
  return value;
}

// Which column each figure is in, by the words of the head.
struct Head {
  bool matrices = false;  // M, N, K
  std::vector<std::string> columns;
};

Head head_of(const base::CsvRow& row) {
  static const std::vector<std::string> kConvolution{"layername",   "ifmapheight", "ifmapwidth", "filterheight",
                                                     "filterwidth", "channels",    "numfilter",  "strides"};
  static const std::vector<std::string> kMatrices{"layer", "m", "n", "k"};
  Head head;
  for (const base::CsvCell& cell : row) head.columns.push_back(lower(cell.text));
  while (!head.columns.empty() && head.columns.back().empty()) head.columns.pop_back();
  const bool sparse = !head.columns.empty() && head.columns.back() == "sparsity";
  std::vector<std::string> known = head.columns;
  if (sparse) known.pop_back();
  std::vector<std::string> two = kConvolution;
  two.back() = "strideheight", two.push_back("stridewidth");
  head.matrices = known == kMatrices;
  if (!head.matrices && known != kConvolution && known != two)
    fail(row.front().where,
         "no topology: its head must be 'Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, "
         "Num Filter, Strides' or 'Layer, M, N, K'");
  return head;
}

class TopologyReader {
 public:
  explicit TopologyReader(const std::string& path) : rows_(base::parse_csv(base::read_file(path), path)) {
    if (rows_.empty()) fail({path, 0, 0}, "no topology: it is empty");
    head_ = head_of(rows_.front());
    if (rows_.size() == 1) fail({path, 0, 0}, "a topology without layers");
  }

  Topology read() {
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      cells_ = cells_of(rows_[i]);
      try {
        const std::string layer = head_.matrices ? product() : convolution();
        const std::string name = names_.unique(rows_[i][0].text);
        topology_.layers.push_back({name, fmt::format("version: 1\nname: {}\n{}", quoted(name), layer)});
      } catch (const Refused& refused) {
        topology_.refused.push_back({fmt::format("line {}, {}", rows_[i][0].where.line, rows_[i][0].text),
                                     head_.matrices ? "M, N, K" : "conv", refused.reason});
      }
    }
    return std::move(topology_);
  }

 private:
  std::map<std::string, base::CsvCell> cells_of(const base::CsvRow& row) const {
    std::size_t count = row.size();
    while (count > 0 && row[count - 1].text.empty()) --count;
    const std::size_t wanted = head_.columns.size();
    const bool no_sparsity = head_.columns.back() == "sparsity" && count + 1 == wanted;
    if (count != wanted && !no_sparsity)
      fail(row.front().where, fmt::format("{} cells, the head has {}", count, wanted));
    std::map<std::string, base::CsvCell> cells;
    for (std::size_t i = 0; i < count; ++i) cells[head_.columns[i]] = row[i];
    return cells;
  }

  std::int64_t size(const char* column) const { return size_of(cells_.at(column), column); }

  void refuse_sparsity() const {
    const auto found = cells_.find("sparsity");
    if (found != cells_.end() && !found->second.text.empty())
      throw Refused{fmt::format("sparsity {}: weights are dense here", found->second.text)};
  }

  std::string convolution() const {
    const std::int64_t height = size("ifmapheight"), width = size("ifmapwidth"), rows = size("filterheight"),
                       columns = size("filterwidth"), channels = size("channels"), filters = size("numfilter");
    const bool one = cells_.count("strides") > 0;
    const std::int64_t down = one ? size("strides") : size("strideheight"), across = one ? down : size("stridewidth");
    refuse_sparsity();
    if (rows != columns) throw Refused{fmt::format("a filter of {} x {}; square ones are computed", rows, columns)};
    if (down != across) throw Refused{fmt::format("strides of {} x {}; equal ones are computed", down, across)};
    if (rows > height || rows > width)
      throw Refused{fmt::format("a filter of {} x {} over {} x {}", rows, columns, height, width)};
    if (rows > 1024 || down > 1024) throw Refused{"a filter or stride beyond 1024"};
    return fmt::format(
        "input: {{shape: [{}, {}, {}], type: int8}}\nlayers:\n"
        "  - {{name: layer, type: conv, filters: {}, kernel: {}, stride: {}}}\n",
        channels, height, width, filters, rows, down);
  }

  // Each row of the first matrix is a position of a map.
  std::string product() const {
    const std::int64_t m = size("m"), n = size("n"), k = size("k");
    refuse_sparsity();
    return fmt::format(
        "input: {{shape: [{}, {}, 1], type: int8}}\nlayers:\n"
        "  - {{name: layer, type: conv, filters: {}, kernel: 1}}\n",
        k, m, n);
  }

  static std::string quoted(const std::string& name) { return "\"" + name + "\""; }

  const std::vector<base::CsvRow> rows_;
  Head head_;
  std::map<std::string, base::CsvCell> cells_;
  Names names_;
  Topology topology_;
};

struct Entry {
  std::string key, value;
  base::Location where;
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\""), last = text.find_last_not_of(" \t\r\"");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<Entry> entries_of(const std::string& path) {
  std::istringstream lines(base::read_file(path));
  std::vector<Entry> entries;
  std::set<std::string> seen;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const base::Location where{path, ++number, 1};
    line = trimmed(line);
    if (line.empty() || line[0] == '#' || line[0] == ';' || line[0] == '[') continue;
    const std::size_t split = line.find_first_of("=:");
    if (split == std::string::npos) fail(where, fmt::format("expected 'key : value', found '{}'", line.substr(0, 60)));
    Entry entry{trimmed(line.substr(0, split)), trimmed(line.substr(split + 1)), where};
    if (!seen.insert(lower(entry.key)).second) fail(where, fmt::format("key '{}' is there already", entry.key));
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) fail({path, 0, 0}, "no array: it has no keys");
  return entries;
}

class ArrayReader {
 public:
  explicit ArrayReader(const std::string& path) : path_(path), entries_(entries_of(path)) {}

  ArrayFile read() {
    tn_ = number("arrayheight", 512), tm_ = number("arraywidth", 512);
    ArrayFile file;
    for (const Entry& entry : entries_) {
      if (lower(entry.key) == "run_name") file.name = entry.value;
      file.keys.push_back(key_of(entry));
    }
    return file;
  }

 private:
  std::int64_t number(const Entry& entry, std::int64_t most) const {
    const bool digits = !entry.value.empty() && entry.value.size() < 10 &&
                        entry.value.find_first_not_of("0123456789") == std::string::npos;
    const std::int64_t value = digits ? std::stoll(entry.value) : 0;
    if (value < 1 || value > most)
      fail(entry.where, fmt::format("{}: expected 1..{}, found '{}'", entry.key, most, entry.value));
    return value;
  }
  std::int64_t number(const char* key, std::int64_t most) const {
    for (const Entry& entry : entries_)
      if (lower(entry.key) == key) return number(entry, most);
    fail({path_, 0, 0}, fmt::format("no array: key '{}' is missing", key));
  }

  ArrayKey key_of(const Entry& entry) const {
    const std::string key = lower(entry.key);
    const auto set = [&](const std::string& name, std::int64_t value, const char* why) {
      return ArrayKey{entry.key, entry.value, fmt::format("{}={}", name, value), why};
    };
    const auto none = [&](const char* why) { return ArrayKey{entry.key, entry.value, "", why}; };
    constexpr std::int64_t kMostKib = 1 << 20;
    const auto words = [&](std::int64_t lanes, std::int64_t most) {
      return std::clamp<std::int64_t>(number(entry, kMostKib) * 1024 / (2 * lanes), 1, most);
    };
    if (key == "run_name") return none("the command's name");
    if (key == "arrayheight") return set("conv.tn", tn_, "rows take input channels");
    if (key == "arraywidth") return set("conv.tm", tm_, "columns take output channels");
    if (key == "ifmapsramszkb") return set("conv.input_words", words(tn_, 1 << 20), "bytes, in two halves, per row");
    if (key == "ofmapsramszkb") return set("conv.output_words", words(tm_, 65536), "sums, in two halves, per column");
    if (key == "filtersramszkb")
      return set("weights.kib", std::clamp<std::int64_t>(number(entry, kMostKib) / 2, 1, 4096), "one of two halves");
    if (key == "bandwidth") {
      std::int64_t bits = 8;
      while (bits < 512 && bits < 8 * number(entry, kMostKib)) bits *= 2;
      return set("load.input_bits", bits, "words a cycle, of a byte: the next width of a stream");
    }
    if (key == "dataflow")
      return none(lower(entry.value) == "os" ? "as it is: sums stay, inputs and weights stream"
                                             : "sums stay in their store here, as 'os' says");
    if (key == "interfacebandwidth")
      return none("memory is simulated: streams wait for it, none is given what it asks");
    if (key.size() > 6 && key.compare(key.size() - 6, 6, "offset") == 0) return none("the compiler places tensors");
    return none("nothing here does what it says");
  }

  const std::string path_;
  const std::vector<Entry> entries_;
  std::int64_t tn_ = 1, tm_ = 1;
};

}  // namespace

Topology read_topology(const std::string& path) { return TopologyReader(path).read(); }

ArrayFile read_array(const std::string& path) { return ArrayReader(path).read(); }

}  // namespace fansim::importer
