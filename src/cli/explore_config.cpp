// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/tiled_settings.h"
#include "base/error.h"

namespace fansim::cli {
namespace {

using explore::Space;

template <class Load>
auto loaded(const Space& space, const std::vector<std::string>& overrides, Load&& load)
    -> Configured<decltype(load(space.config, overrides))> {
  try {
    return load(space.config, overrides);
  } catch (const base::UserError& error) {
    return std::string(error.what());
  }
}

}  // namespace

void check_keys(const Space& space, const std::vector<std::string>& keys) {
  const auto check = [&](const std::string& path, const base::Location& where) {
    const bool in_part = path.rfind("ddr.part.", 0) == 0;
    if (in_part || std::find(keys.begin(), keys.end(), path) != keys.end()) return;
    throw base::UserError(where,
                          fmt::format("'{}' is no key of the configuration{}", path, base::did_you_mean(path, keys)));
  };
  for (const explore::Parameter& parameter : space.parameters) check(parameter.path, parameter.where);
  for (const explore::Derived& derived : space.derived) check(derived.path, derived.where);
}

Configured<arch::TiledConfig> configure(const Space& space, const arch::TiledConfig& base,
                                        const std::vector<std::string>& overrides) {
  arch::TiledConfig config = base;
  for (std::size_t i = space.set.size(); i < overrides.size(); ++i) {
    const std::size_t equals = overrides[i].find('=');
    const std::string path = overrides[i].substr(0, equals);
    const bool field = path == "clock_mhz" || path == "port_mhz" ||
                       (path.find('.') != std::string::npos && path.rfind("ddr.part", 0) != 0);
    if (!field) return loaded(space, overrides, arch::load_tiled_config);
    const std::string problem = arch::set_field(config, path, overrides[i].substr(equals + 1));
    if (!problem.empty()) return problem;
  }
  const std::string problem = arch::refusal(config);
  if (!problem.empty()) return problem;
  return config;
}

}  // namespace fansim::cli
