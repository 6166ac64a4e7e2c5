// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "contract/load_config.h"
#include "explore/space.h"

// The configurations of a space's points. A Config's own room has load_config and refusal.
namespace fansim::accelerators {

// UserError at the parameter or setting of a space that names no key of its configuration.
void check_keys(const explore::Space& space, const std::vector<std::string>& keys);

// Whether every point of the space differs from `base` in plain fields alone: its configuration costs next to nothing.
template <class Config>
bool is_plain(const explore::Space& space) {
  const auto plain = [](const auto& setting) { return contract::is_plain<Config>(setting.path); };
  return std::all_of(space.parameters.begin(), space.parameters.end(), plain) &&
         std::all_of(space.derived.begin(), space.derived.end(), plain);
}

// The configuration of any point, or why there is none.
template <class Config>
using Configured = std::variant<Config, std::string>;

// `base` has what is set for every point already; `load` reads the space's configuration with overrides.
template <class Config, class Load>
Configured<Config> configure(const explore::Space& space, const Config& base, const std::vector<std::string>& overrides,
                             Load&& load) {
  Config config = base;
  for (std::size_t i = space.set.size(); i < overrides.size(); ++i) {
    const std::size_t equals = overrides[i].find('=');
    const std::string path = overrides[i].substr(0, equals);
    if (!contract::is_plain<Config>(path)) {
      try {
        return load(space.config, overrides);
      } catch (const base::UserError& error) {
        return std::string(error.what());
      }
    }
    const std::string problem = contract::set_field(config, path, overrides[i].substr(equals + 1));
    if (!problem.empty()) return problem;
  }
  const std::string problem = refusal(config);
  if (!problem.empty()) return problem;
  return config;
}

}  // namespace fansim::accelerators
