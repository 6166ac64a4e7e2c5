// SPDX-License-Identifier: Apache-2.0
#include "importer/scale_sim/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <map>

#include "base/csv.h"
#include "importer/plain_text.h"

namespace fansim::importer {
namespace {

// Is thrown with the reason why no layer represents a row.
struct NoLayer {
  std::string reason;
};

using Columns = std::vector<std::string>;
const Columns kConvolution{"layer name",   "ifmap height", "ifmap width", "filter height",
                           "filter width", "channels",     "num filter",  "strides"};
const Columns kGemm{"layer name", "m", "n", "k"};
const Columns kOfGemm{"sparsity", "batch size"}, kOfConvolution{"stride width", "sparsity", "batch size"};

// Keeps only letters and digits, and drops the plural, because spreadsheets contain blanks of every kind.
std::string bare(const std::string& text) {
  std::string letters;
  for (const unsigned char c : lower(text))
    if (std::isalnum(c) != 0) letters += static_cast<char>(c);
  if (letters.size() > 1 && letters.back() == 's') letters.pop_back();
  return letters;
}

bool same(const std::string& found, const std::string& column) {
  if (bare(found) == bare(column)) return true;
  // The tables that come with SCALE-Sim also use these column names.
  return (column == "ifmap height" && bare(found) == "ifmapwidth") ||
         (column == "strides" && bare(found) == "strideheight");
}

std::int64_t product(std::initializer_list<int> factors) {
  std::int64_t all = 1;
  for (const int factor : factors) all = std::min<std::int64_t>(all * factor, std::int64_t{INT_MAX} + 1);
  return all;
}

class TopologyReader {
 public:
  explicit TopologyReader(const std::string& path) : path_(path) {}

  Topology read() {
    bool header = true;
    for (base::CsvRow& row : base::parse_csv(read_plain_text(path_), path_)) {
      if (row.back().text.rfind('#', 0) == 0) row.pop_back();
      while (!row.empty() && row.back().text.empty()) row.pop_back();
      if (row.empty()) continue;
      if (header) {
        read_header(row);
      } else {
        read_row(row);
      }
      header = false;
    }
    if (topology_.layers.empty() && topology_.refused.empty())
      throw base::UserError(base::Location{path_, 0, 0}, header ? "empty; expected " + expected() : "no layers");
    return std::move(topology_);
  }

 private:
  static std::string expected() {
    return fmt::format("a header, separated by commas: '{}' or '{}'", listed(kConvolution), listed(kGemm));
  }

  void read_header(const base::CsvRow& row) {
    gemm_ = row.size() > 1 && same(row[1].text, "m");
    columns_ = gemm_ ? kGemm : kConvolution;
    const Columns& more = gemm_ ? kOfGemm : kOfConvolution;
    required_ = columns_.size();
    if (row.size() < required_)
      throw base::UserError(row[0].where, fmt::format("{} columns; expected {}", row.size(), expected()));
    for (std::size_t i = 1; i < row.size(); ++i) {
      const auto fail = [&, &cell = row[i]](const std::string& what) {
        throw base::UserError(cell.where, fmt::format("column {}: found '{}', {}", i + 1, shown(cell.text), what));
      };
      if (i < required_) {
        if (!same(row[i].text, columns_[i])) fail(fmt::format("expected '{}'{}", columns_[i], i == 1 ? " or 'm'" : ""));
        continue;
      }
      const auto optional =
          std::find_if(more.begin(), more.end(), [&](const std::string& column) { return same(row[i].text, column); });
      if (optional == more.end()) fail("allowed: " + listed(more) + base::did_you_mean(lower(row[i].text), more));
      if (std::find(columns_.begin(), columns_.end(), *optional) != columns_.end()) fail("which stands twice");
      columns_.push_back(*optional);
    }
  }

  void read_row(const base::CsvRow& row) {
    constexpr std::size_t kMostRows = 2000;
    if (topology_.layers.size() + topology_.refused.size() == kMostRows)
      throw base::UserError(row[0].where, fmt::format("more than {} layers", kMostRows));
    TopologyLayer layer;
    layer.row = row[0].text;
    layer.line = row[0].where.line;
    try {
      read_cells(row);
      read_numbers(layer);
      layer.file = names_.unique(layer.row, "layer");
      topology_.layers.push_back(std::move(layer));
    } catch (const NoLayer& refused) {
      topology_.refused.push_back({layer.row, layer.line, refused.reason});
    }
  }

  void read_cells(const base::CsvRow& row) {
    if (row.size() < required_ || row.size() > columns_.size())
      throw NoLayer{fmt::format("{} cells; expected {}: {}", row.size(), columns_.size(), listed(columns_))};
    if (row[0].text.empty()) throw NoLayer{"a layer without a name"};
    cells_.clear();
    for (std::size_t i = 0; i < row.size(); ++i) cells_[columns_[i]] = row[i];
  }

  int number(const std::string& column, int most = kLargestExtent) const {
    return extent(cells_.at(column).text, column, most);
  }
  static int extent(const std::string& text, const std::string& what, int most = kLargestExtent) {
    try {
      return read_extent(text, what, {}, most);
    } catch (const base::UserError& error) {
      throw NoLayer{error.what()};
    }
  }
  bool given(const std::string& column) const {
    const auto cell = cells_.find(column);
    return cell != cells_.end() && !cell->second.text.empty();
  }

  void read_numbers(TopologyLayer& layer) const {
    if (gemm_) {
      const int m = number("m", INT_MAX), n = number("n"), k = number("k");
      refuse_options();
      set_gemm(layer, m, n, k);
    } else {
      const int filter_width = number("filter width");
      layer.height = number("ifmap height");
      layer.width = number("ifmap width");
      layer.kernel = number("filter height");
      layer.channels = number("channels");
      layer.filters = number("num filter");
      layer.stride = number("strides");
      const int stride_width = given("stride width") ? number("stride width") : layer.stride;
      refuse_options();
      set_convolution(layer, filter_width, stride_width);
    }
    check_size(layer);
  }

  void refuse_options() const {
    const int batch = given("batch size") ? number("batch size") : 1;
    if (given("sparsity")) {
      const std::string& text = cells_.at("sparsity").text;
      const std::size_t colon = std::min(text.find(':'), text.size());
      const int kept = extent(text.substr(0, colon), "sparsity N of N:M");
      const int of = extent(text.substr(std::min(colon + 1, text.size())), "sparsity M of N:M");
      if (kept > of) throw NoLayer{fmt::format("sparsity: {} weights of {}", kept, of)};
      if (kept < of) throw NoLayer{fmt::format("{} of {} weights; every weight is multiplied here", kept, of)};
    }
    if (batch != 1) throw NoLayer{fmt::format("a batch of {}; a layer has one input", batch)};
  }

  // Converts a GEMM, M x K by K x N, to 1 x 1 windows over K channels. The tiled accelerator takes the same number of
  // cycles for every layout of M; the streaming one prefers wide rows, as wide as the shortest line of the shipped
  // configurations.
  static void set_gemm(TopologyLayer& layer, int m, int n, std::int64_t k) {
    if (k > kLargestExtent) throw NoLayer{fmt::format("a GEMM of K {}; allowed: {}", k, kLargestExtent)};
    constexpr int kLine = 64, kMostRows = 65535;  // an instruction's field has 16 bits
    int width = kLine;
    while (m % width != 0) --width;
    for (int wider = kLine + 1; m / width > kMostRows && wider <= kMostRows; ++wider)
      if (m % wider == 0 && m / wider <= kMostRows) width = wider;
    if (m / width > kLargestExtent)
      throw NoLayer{fmt::format("a GEMM of M {}: it has no two factors of up to {}", m, kLargestExtent)};
    layer.channels = static_cast<int>(k);
    layer.height = m / width;
    layer.width = width;
    layer.filters = n;
    layer.kernel = layer.stride = 1;
    layer.remark = fmt::format("GEMM, {} x {} by {} x {}", m, k, k, n);
  }

  static void set_convolution(TopologyLayer& layer, int filter_width, int stride_width) {
    const auto& [kernel, stride] = std::pair(layer.kernel, layer.stride);
    if (stride != stride_width)
      throw NoLayer{fmt::format("strides of {} and {}; equal ones are computed", stride, stride_width)};
    if (kernel > layer.height || filter_width > layer.width)
      throw NoLayer{fmt::format("a filter of {} x {} over {} x {}", kernel, filter_width, layer.height, layer.width)};
    const bool depthwise = layer.row.find("DP") != std::string::npos;
    if (kernel == 1 && filter_width == layer.width && filter_width > 1 && stride == 1 && !depthwise) {
      set_gemm(layer, layer.height, layer.filters, std::int64_t{layer.width} * layer.channels);
      return;
    }
    if (kernel != filter_width)
      throw NoLayer{fmt::format("a filter of {} x {}; square ones are computed", kernel, filter_width)};
    constexpr int kLargestKernel = 1024;
    if (kernel > kLargestKernel || stride > kLargestKernel)
      throw NoLayer{fmt::format("a filter of {0} x {0}, stride {1}; allowed: {2}", kernel, stride, kLargestKernel)};
    if (depthwise) set_depthwise(layer);
    const int rows = layer.height - kernel, columns = layer.width - kernel;
    if (rows % stride != 0 || columns % stride != 0)
      layer.remark += fmt::format("{}{} x {} outputs, SCALE-Sim counts {} x {}: incomplete windows",
                                  layer.remark.empty() ? "" : "; ", rows / stride + 1, columns / stride + 1,
                                  (rows + stride - 1) / stride + 1, (columns + stride - 1) / stride + 1);
  }

  // Recognises a depthwise layer by its name, as SCALE-Sim does: each channel is convolved by itself, with all the
  // filters.
  static void set_depthwise(TopologyLayer& layer) {
    const std::int64_t filters = std::int64_t{layer.channels} * layer.filters;
    if (filters > kLargestExtent)
      throw NoLayer{fmt::format("depthwise (DP), {} filters; allowed: {}", filters, kLargestExtent)};
    layer.groups = layer.channels;
    layer.filters = static_cast<int>(filters);
    layer.remark = "depthwise (DP)";
  }

  static void check_size(const TopologyLayer& l) {
    const int rows = (l.height - l.kernel) / l.stride + 1, columns = (l.width - l.kernel) / l.stride + 1;
    if (std::max({product({l.channels, l.height, l.width}), product({l.filters, rows, columns}),
                  product({l.filters, l.channels / l.groups, l.kernel, l.kernel})}) > INT_MAX)
      throw NoLayer{"a map or its weights of more than 2^31 values"};
  }

  const std::string path_;
  Topology topology_;
  bool gemm_ = false;
  Columns columns_;
  std::size_t required_ = 0;
  std::map<std::string, base::CsvCell> cells_;
  FileNames names_;
};

}  // namespace

Topology read_topology(const std::string& path) { return TopologyReader(path).read(); }

std::string network_text(const TopologyLayer& layer) {
  return fmt::format(
      "# Line {} of a topology table of SCALE-Sim. Padding, if there was any, is part of the sizes.\n"
      "version: 1\nname: \"{}\"\ninput: {{shape: [{}, {}, {}], type: int8}}\nlayers:\n"
      "  - {{name: \"{}\", type: conv, filters: {}, kernel: {}, stride: {}, groups: {}}}\n",
      layer.line, layer.file, layer.channels, layer.height, layer.width, layer.file, layer.filters, layer.kernel,
      layer.stride, layer.groups);
}

}  // namespace fansim::importer
