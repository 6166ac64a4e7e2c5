// SPDX-License-Identifier: Apache-2.0
#include "benches/bandwidth_config.h"

#include "base/fields.h"
#include "base/overrides.h"
#include "base/yaml.h"
#include "contract/config_file.h"
#include "contract/key_range.h"

namespace fansim::benches {

BandwidthConfig load_bandwidth_bench(const std::string& path, const std::vector<std::string>& overrides) {
  base::YamlNode document = base::load_yaml(path);
  base::apply_overrides(document, overrides);
  base::YamlMap top(document);
  BandwidthConfig config;
  top.integer("version", 1, 1);
  config.pl_mhz = top.rational("pl_mhz");
  config.port_mhz = top.rational("port_mhz");
  std::vector<contract::KeyRange> ranges;  // a bench uses only the values of the shared parts, so it ignores these
  config.visit_blocks([&](const char* key, auto& block) {
    base::YamlMap map = top.child(key);
    contract::prepare_block(map, block);
    base::read_fields(map, block);
    for (const auto& problem : base::follow_clock(block, config.port_mhz)) map.fail(problem.field, problem.text);
    contract::read_ranges(map, key, base::field_rows(block), config.port_mhz, ranges);
    map.finish();
  });
  top.finish();
  return config;
}

}  // namespace fansim::benches
