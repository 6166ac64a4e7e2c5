// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "accelerators/accelerator.h"
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

// Every value of every parameter by itself. UserError at one that is written out and that its key does not take in any
// configuration; a range may reach beyond what it takes.
template <class Config, class Load>
std::vector<RefusedValue> refused_values(const explore::Space& space, const Config& base, Load&& load) {
  const auto& fields = contract::fields_of<Config>();
  std::vector<RefusedValue> refused;
  for (const explore::Parameter& parameter : space.parameters)
    for (const explore::Value& value : parameter.values) {
      Config alone = base;
      const std::string problem = contract::set_field(alone, parameter.path, value.text);
      const bool own_field = fields.count(parameter.path) > 0 || contract::is_plain<Config>(parameter.path);
      if (own_field && !problem.empty() && value.where) throw base::UserError(*value.where, problem);
      std::vector<std::string> overrides = space.set;
      overrides.push_back(parameter.path + "=" + value.text);
      const Configured<Config> configured = configure(space, base, overrides, load);
      if (const auto* reason = std::get_if<std::string>(&configured))
        refused.push_back({parameter.path, value.text, *reason});
    }
  return refused;
}

}  // namespace fansim::accelerators
