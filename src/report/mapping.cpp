// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/run_report.h"
#include "report/table.h"

namespace fansim::report {
namespace {

std::string words(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::string bytes(const std::optional<std::int64_t>& count) { return count ? grouped(*count) : "-"; }

}  // namespace

std::string mapping_text(const RunReport& report) {
  Table tiles(1), operands(2), buffers(2);
  buffers.row({"layer", "buffer", "unit", "at most", "of", "%"});
  buffers.rule();
  operands.row({"layer", "operand", "", "DDR B", "buffers B", "array B", "array / DDR"});
  operands.rule();
  bool headed = false, buffered = false;
  for (const contract::LayerResult& layer : report.layers) {
    if (!layer.mapping) continue;
    const contract::Mapping& mapping = *layer.mapping;
    std::vector<std::string> heads{"layer"}, cells{layer.name};
    for (const auto& [name, extent] : mapping.tile) {
      heads.push_back(words(name));
      cells.push_back(grouped(extent));
    }
    heads.insert(heads.end(), {"tiles", "passes"});
    cells.insert(cells.end(), {grouped(mapping.tiles), grouped(mapping.passes)});
    if (!headed) {
      tiles.row(heads);
      tiles.rule();
    }
    headed = true;
    tiles.row(cells);
    std::string name = layer.name;
    for (const contract::OperandTraffic& one : mapping.operands) {
      if (one.ddr == 0 && !one.buffers && !one.array) continue;
      operands.row({name, one.operand, one.written ? "written" : "read", grouped(one.ddr), bytes(one.buffers),
                    bytes(one.array), one.reuse() ? fmt::format("{:.1f}", *one.reuse()) : "-"});
      name.clear();
    }
    name = layer.name;
    for (const contract::BufferUse& one : mapping.buffers) {
      if (one.most == 0) continue;
      buffers.row({name, one.buffer, one.unit, grouped(one.most), grouped(one.capacity),
                   fmt::format("{:.1f}", 100.0 * static_cast<double>(one.most) / static_cast<double>(one.capacity))});
      name.clear();
      buffered = true;
    }
  }
  return headed ? fmt::format("\nlargest tile of each layer, tiles, and passes of the array over them\n{}\n{}{}",
                              tiles.text(), operands.text(), buffered ? "\n" + buffers.text() : "")
                : "";
}

}  // namespace fansim::report
