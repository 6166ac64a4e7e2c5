// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "arch/stream_config.h"
#include "arch/tiled_config.h"
#include "base/fields.h"
#include "explore/space.h"

namespace fansim::cli {

// UserError at the parameter or setting of a space that names no key of its configuration.
void check_keys(const explore::Space& space, const std::vector<std::string>& keys);

// Every key that `--set` may name: blocks' fields and what stands beside them.
template <class Config>
std::vector<std::string> keys_of(Config config) {
  std::vector<std::string> keys{"clock_mhz", "device", "ddr.part"};
  config.visit_blocks([&keys](const char* name, auto& block) {
    keys.emplace_back(name);
    for (const base::FieldRow& row : base::field_rows(block)) keys.push_back(std::string(name) + "." + row.name);
  });
  return keys;
}
inline std::vector<std::string> keys_of(const arch::TiledConfig& config) {
  std::vector<std::string> keys = keys_of<arch::TiledConfig>(config);
  keys.emplace_back("port_mhz");
  return keys;
}

// Whether every point of the space differs from `base` in plain fields alone: its configuration costs next to nothing.
template <class Config>
bool is_plain(const explore::Space& space, const Config& base);

// The configuration of any point, or why there is none.
template <class Config>
using Configured = std::variant<Config, std::string>;

// `base` has what is set for every point already.
template <class Config>
Configured<Config> configure(const explore::Space& space, const Config& base,
                             const std::vector<std::string>& overrides);

}  // namespace fansim::cli
