// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "contract/config_file.h"

namespace fansim::contract {

// A configuration with every key, whether it came from its file, from a file that it names, or from a default. Read
// again, it is the same configuration.
struct ResolvedConfig {
  struct Value {
    std::string key, type, text;  // type: as in FieldRow, or "list"
    std::string counted = {};     // as in FieldRow
  };
  struct Block {
    std::string key;
    std::vector<Value> values;
    std::vector<Block> blocks;
  };
  // What a cost comes to in its clock.
  struct Cost {
    std::string key;
    std::int64_t cycles;
    double nanoseconds;
  };
  Block top;
  std::vector<Cost> costs;
};

ResolvedConfig::Block resolved_block(const std::string& key, const std::vector<base::FieldRow>& rows);
std::vector<ResolvedConfig::Cost> resolved_costs(const std::string& block, const std::vector<base::FieldRow>& rows,
                                                 const base::Rational& clock);
// Returns the ranges of the block `name` as a block of its own. It has no values if there are no such ranges.
ResolvedConfig::Block resolved_ranges(const std::vector<KeyRange>& ranges, const std::string& name);
ResolvedConfig::Block resolved_part(const DdrPart& part);
// Returns the faults in a form that both YAML and JSON read as a list of maps.
std::string resolved_faults(const std::vector<Fault>& faults);
// Returns the device's name if it comes with the program, otherwise its file.
std::string resolved_device(const Device& device);

template <class Config>
ResolvedConfig resolved(Config config) {
  ResolvedConfig all;
  all.top.values = {{"version", "int", "1"},
                    {"name", "text", config.name},
                    {"system", "text", Config::kSystem},
                    {"device", "text", resolved_device(config.device)}};
  config.visit_clocks([&all](const char* key, const base::Rational& mhz) {
    all.top.values.push_back({key, "rational", mhz.text()});
  });
  if (!config.faults.empty()) all.top.values.push_back({"faults", "list", resolved_faults(config.faults)});
  config.visit_blocks([&](const char* key, auto& block) {
    const std::vector<base::FieldRow> rows = base::field_rows(block);
    all.top.blocks.push_back(resolved_block(key, rows));
    for (auto& cost : resolved_costs(key, rows, config.clock_of(key))) all.costs.push_back(std::move(cost));
    if (const ResolvedConfig::Block ranges = resolved_ranges(config.ranges, key); !ranges.values.empty())
      all.top.blocks.back().blocks.push_back(ranges);
    if (std::string(key) == "ddr" && config.ddr.has_part())
      all.top.blocks.back().blocks.push_back(resolved_part(config.ddr.part));
  });
  return all;
}

}  // namespace fansim::contract
