// SPDX-License-Identifier: Apache-2.0
#include "contract/resolved.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/data.h"
#include "contract/ddr_part.h"

namespace fansim::contract {

ResolvedConfig::Block resolved_block(const std::string& key, const std::vector<base::FieldRow>& rows) {
  ResolvedConfig::Block block;
  block.key = key;
  for (const base::FieldRow& row : rows) block.values.push_back({row.name, row.type, row.fallback});
  return block;
}

ResolvedConfig::Block resolved_ranges(const std::vector<KeyRange>& ranges, const std::string& name) {
  ResolvedConfig::Block block;
  block.key = "ranges";
  for (const KeyRange& range : ranges)
    if (range.key.rfind(name + ".", 0) == 0)
      block.values.push_back({range.key.substr(name.size() + 1), "list", fmt::format("[{}, {}]", range.lo, range.hi)});
  return block;
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
