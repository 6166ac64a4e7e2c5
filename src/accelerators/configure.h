// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "contract/load_config.h"
#include "explore/space.h"

// The configurations of a space's points. A Config's own room has load_config, refusal and plain_field.
namespace fansim::accelerators {

// UserError at the parameter or setting of a space that names no key of its configuration.
void check_keys(const explore::Space& space, const std::vector<std::string>& keys);

// UserError at a parameter one of whose words its field does not know, whatever the others are. A number out of range
// may be one of many that a form makes: its points do not fit.
template <class Config>
void check_words(const explore::Space& space) {
  for (const explore::Parameter& parameter : space.parameters)
    for (const explore::Value& value : parameter.values) {
      if (value.number || contract::fields_of<Config>().count(parameter.path) == 0) continue;
      Config config;
      const std::string problem = contract::set_field(config, parameter.path, value.text);
      if (!problem.empty()) throw base::UserError(parameter.where, problem);
    }
}

// Whether every point of the space differs from `base` in plain fields alone: its configuration costs next to nothing.
template <class Config>
bool is_plain(const explore::Space& space, const Config& base) {
  const auto plain = [&base](const auto& setting) { return plain_field(base, setting.path); };
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
    if (!plain_field(base, path)) {
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
