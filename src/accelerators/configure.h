// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "accelerators/accelerator.h"
#include "base/error.h"
#include "contract/idle_keys.h"
#include "contract/load_config.h"
#include "explore/space.h"

// This file makes the configurations of a space's points. The namespace of a Config must define load_config and
// refusal.
namespace fansim::accelerators {

// Throws UserError at the parameter or setting of a space that is no key of its configuration.
void check_keys(const explore::Space& space, const std::vector<std::string>& keys);

// Returns whether all points of the space differ from `base` only in plain fields, so that a point's configuration is
// cheap to make.
template <class Config>
bool is_plain(const explore::Space& space) {
  const auto plain = [](const auto& setting) { return contract::is_plain<Config>(setting.path); };
  return std::all_of(space.parameters.begin(), space.parameters.end(), plain) &&
         std::all_of(space.derived.begin(), space.derived.end(), plain);
}

inline bool varies(const explore::Space& space, const std::string& path) {
  const auto is_path = [&path](const auto& setting) { return setting.path == path; };
  return std::any_of(space.parameters.begin(), space.parameters.end(), is_path) ||
         std::any_of(space.derived.begin(), space.derived.end(), is_path);
}

// Holds the configuration of a point, or the reason why there is none.
template <class Config>
using Configured = std::variant<Config, std::string>;

// `base` has everything that is set for all points; `load` reads the space's configuration with overrides.
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

// Returns why the machine refuses a value of a parameter with all other parameters at their first, their middle and
// their last values; empty: it accepts one of these points.
template <class Config, class Load>
std::string refusal_of(const explore::Space& space, const Config& base, std::size_t parameter, int value, Load&& load) {
  std::string reason;
  for (const int half : {0, 1, 2}) {
    explore::Point point;
    for (const explore::Parameter& other : space.parameters) point.push_back((other.size() - 1) * half / 2);
    point[parameter] = value;
    const Configured<Config> configured = configure(space, base, space.overrides(point), load);
    const auto* refused = std::get_if<std::string>(&configured);
    if (!refused) return "";
    if (reason.empty()) reason = *refused;
  }
  return reason;
}

// Throws UserError at a parameter that does not act with the first, the middle and the last values of all parameters.
template <class Config, class Load>
void refuse_idle_parameters(const explore::Space& space, const Config& base, Load&& load) {
  for (const explore::Parameter& parameter : space.parameters) {
    const std::string* why = nullptr;
    contract::IdleKeys idle;
    bool acts = false;
    for (const int half : {0, 1, 2}) {
      explore::Point point;
      for (const explore::Parameter& other : space.parameters) point.push_back((other.size() - 1) * half / 2);
      const Configured<Config> configured = configure(space, base, space.overrides(point), load);
      const auto* config = std::get_if<Config>(&configured);
      if (!config) continue;
      idle = contract::idle_keys(*config);
      why = contract::why_idle(idle, parameter.path);
      acts = acts || why == nullptr;
    }
    if (why && !acts) throw base::UserError(parameter.where, fmt::format("{} would not act: {}", parameter.path, *why));
  }
}

// Returns values that seem to be refused whatever the other parameters are. Throws UserError at a value that is written
// out and that its key accepts in no configuration; a range may contain such values.
template <class Config, class Load>
std::vector<RefusedValue> refused_values(const explore::Space& space, const Config& base, Load&& load) {
  std::vector<RefusedValue> refused;
  for (std::size_t i = 0; i < space.parameters.size(); ++i) {
    const explore::Parameter& parameter = space.parameters[i];
    const bool field = contract::fields_of<Config>().count(parameter.path) > 0;
    for (int v = 0; v < parameter.size(); ++v) {
      const explore::Value& value = parameter.values[static_cast<std::size_t>(v)];
      Config alone = base;
      const std::string problem = contract::set_field(alone, parameter.path, value.text);
      if ((field || contract::is_plain<Config>(parameter.path)) && !problem.empty() && value.where)
        throw base::UserError(*value.where, problem);
      const std::string reason = refusal_of(space, base, i, v, load);
      if (!reason.empty()) refused.push_back({parameter.path, value.text, reason});
    }
  }
  return refused;
}

}  // namespace fansim::accelerators
