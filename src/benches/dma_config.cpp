// SPDX-License-Identifier: Apache-2.0
#include "benches/dma_config.h"

#include <fmt/format.h>

#include "base/fields.h"
#include "base/overrides.h"
#include "base/yaml.h"

namespace fansim::benches {

DmaBenchConfig load_dma_bench(const std::string& path, const std::vector<std::string>& overrides) {
  base::YamlNode document = base::load_yaml(path);
  base::apply_overrides(document, overrides);
  base::YamlMap top(document);
  DmaBenchConfig config;
  top.integer("version", 1, 1);
  config.clock_mhz = top.rational("clock_mhz");
  config.watchdog = top.integer("watchdog", 1000, 100000000, config.watchdog);
  config.visit_blocks([&](const char* key, auto& block) {
    if (!top.has(key)) return;
    base::YamlMap map = top.child(key);
    base::read_fields(map, block);
    map.finish();
  });
  top.finish();
  const int bits = config.axi.data_bits;
  if ((bits & (bits - 1)) != 0)
    top.fail("axi", fmt::format("axi: data_bits {} is not a port width; allowed: 32, 64, 128, 256 or 512", bits));
  return config;
}

}  // namespace fansim::benches
