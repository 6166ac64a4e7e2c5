// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/path_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields.h"
#include "base/overrides.h"
#include "base/yaml.h"

namespace fansim::benches {
namespace {

// Reads the names of the board's ports, each with the controller's port to which it is connected.
std::vector<BoardPort> read_ports(base::YamlMap& top) {
  constexpr int kMostPorts = 16;
  std::vector<BoardPort> ports;
  base::YamlMap map = top.child("ports");
  for (const base::YamlEntry& entry : top.at("ports").entries)
    ports.push_back({entry.key, map.integer(entry.key, 0, kMostPorts - 1)});
  if (ports.empty() || ports.size() > kMostPorts)
    top.fail("ports", fmt::format("ports: {} of them; allowed: 1..{}", ports.size(), kMostPorts));
  map.finish();
  return ports;
}

// Copies the key `mapping` of the file to the memory.
void hand_down_mapping(base::YamlNode& document, const std::string& path) {
  const base::YamlNode* mapping = document.find("mapping");
  base::YamlNode* memory = document.find("memory");
  if (mapping == nullptr || memory == nullptr) return;
  *memory = base::inlined(*memory, path);
  if (base::YamlNode* own = memory->find("mapping"))
    *own = *mapping;
  else
    memory->entries.push_back({"mapping", mapping->where, *mapping});
}

void check(base::YamlMap& top, const PathConfig& config) {
  constexpr double kSlowestMhz = 1, kFastestMhz = 1000;
  if (config.clock_mhz.value() < kSlowestMhz || config.clock_mhz.value() > kFastestMhz)
    top.fail("clock_mhz", fmt::format("clock_mhz {} is out of range; allowed: {}..{}", config.clock_mhz.text(),
                                      kSlowestMhz, kFastestMhz));
  const int bits = config.data_bits;
  if ((bits & (bits - 1)) != 0) top.fail("data_bits", fmt::format("data_bits {} is no power of two", bits));
  if (config.port.read_fifo < config.port.transaction_beats || config.port.write_fifo < config.port.transaction_beats)
    top.fail("port", fmt::format("port: a FIFO must hold a transaction of {} beats", config.port.transaction_beats));
}

}  // namespace

PathConfig load_path(const std::string& path, const std::vector<std::string>& overrides) {
  base::YamlNode document = base::load_yaml(path);
  base::apply_overrides(document, overrides);
  hand_down_mapping(document, path);
  base::YamlMap top(document);
  PathConfig config;
  top.integer("version", 1, 1);
  config.name = top.text("name");
  config.clock_mhz = top.rational("clock_mhz");
  config.data_bits = top.integer("data_bits", 32, 1024);
  config.mapping = top.text("mapping");
  config.ports = read_ports(top);
  config.visit_blocks([&](const char* key, auto& block) {
    base::YamlMap map = top.child(key);
    base::read_fields(map, block);
    map.finish();
  });
  base::YamlMap memory = top.child("memory");
  config.memory = contract::read_ddr_part(memory);
  memory.finish();
  check(top, config);
  top.finish();
  return config;
}

}  // namespace fansim::benches
