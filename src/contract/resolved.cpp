// SPDX-License-Identifier: Apache-2.0
#include "contract/resolved.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/data.h"
#include "contract/ddr_part.h"

namespace fansim::contract {
namespace {

// An element of a list that is both YAML and JSON.
std::string listed(const base::Cost& cost) {
  return cost.is_timed() ? fmt::format("\"{}\"", cost.text()) : cost.text();
}

}  // namespace

ResolvedConfig::Block resolved_block(const std::string& key, const std::vector<base::FieldRow>& rows) {
  ResolvedConfig::Block block;
  block.key = key;
  for (const base::FieldRow& row : rows) block.values.push_back({row.name, row.type, row.fallback, row.counted});
  return block;
}

std::vector<ResolvedConfig::Cost> resolved_costs(const std::string& block, const std::vector<base::FieldRow>& rows,
                                                 const base::Rational& clock) {
  std::vector<ResolvedConfig::Cost> costs;
  for (const base::FieldRow& row : rows) {
    if (row.type != "cost") continue;
    const std::int64_t cycles = std::stoll(row.counted.empty() ? row.fallback : row.counted);
    costs.push_back({block + "." + row.name, cycles, static_cast<double>(cycles) * 1e3 / clock.value()});
  }
  return costs;
}

ResolvedConfig::Block resolved_ranges(const std::vector<KeyRange>& ranges, const std::string& name) {
  ResolvedConfig::Block block;
  block.key = "ranges";
  for (const KeyRange& range : ranges)
    if (range.key.rfind(name + ".", 0) == 0)
      block.values.push_back(
          {range.key.substr(name.size() + 1), "list", fmt::format("[{}, {}]", listed(range.lo), listed(range.hi))});
  return block;
}

namespace {

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
  return quoted + "\"";
}

}  // namespace

// Fields that keep their defaults are left out, because not every kind has every key.
std::string resolved_faults(const std::vector<Fault>& faults) {
  std::string list;
  for (const Fault& fault : faults) {
    std::string map;
    const std::vector<base::FieldRow> said = base::field_rows(fault), unsaid = base::field_rows<Fault>();
    for (std::size_t i = 0; i < said.size(); ++i) {
      const bool word = said[i].type == "choice" || said[i].type == "text";
      if (said[i].name != "kind" && said[i].fallback == unsaid[i].fallback) continue;
      map += fmt::format("{}\"{}\": {}", map.empty() ? "" : ", ", said[i].name,
                         word ? quoted(said[i].fallback) : said[i].fallback);
    }
    list += (list.empty() ? "{" : ", {") + map + "}";
  }
  return "[" + list + "]";
}

ResolvedConfig::Block resolved_part(const DdrPart& part) {
  ResolvedConfig::Block block = resolved_block("part", base::field_rows(part));
  block.values.insert(block.values.begin(), {{"version", "int", "1"},
                                             {"name", "text", part.name},
                                             {"clock_mhz", "rational", part.clock_mhz.text()},
                                             {"mapping", "text", part.mapping.layout()}});
  return block;
}

std::string resolved_device(const Device& device) {
  std::error_code none;
  const std::string shipped = base::data_path("configs/devices/" + device.name + ".yaml");
  if (std::filesystem::equivalent(shipped, device.file, none)) return device.name;
  return std::filesystem::absolute(device.file, none).lexically_normal().string();
}

}  // namespace fansim::contract
