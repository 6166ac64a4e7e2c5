// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/settings.h"
#include "base/error.h"

namespace fansim::cli {
namespace {

using explore::Space;

arch::StreamConfig load(const arch::StreamConfig&, const Space& space, const std::vector<std::string>& overrides) {
  return arch::load_stream_config(space.config, overrides);
}
arch::TiledConfig load(const arch::TiledConfig&, const Space& space, const std::vector<std::string>& overrides) {
  return arch::load_tiled_config(space.config, overrides);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Only reconfigurable tables can have shadows: a file that says nothing else of its multiplier has no word of them.
bool takes_any_multiplier(const arch::StreamConfig& base) {
  return base.array.multiplier != arch::Multiplier::lut_reconfigurable;
}
bool takes_any_multiplier(const arch::TiledConfig&) { return false; }

// Whether setting the field says all that a file with it would.
template <class Config>
bool plain_field(const Config& base, const std::string& path) {
  if (path == "clock_mhz" || path == "port_mhz") return true;
  if (path == "array.multiplier") return takes_any_multiplier(base);
  for (const char* key : {"ddr.part", "ddr.fidelity", "array.shadow_luts"})
    if (path.rfind(key, 0) == 0) return false;
  return path.find('.') != std::string::npos && !ends_with(path, ".macs");
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

template <class Config>
bool is_plain(const Space& space, const Config& base) {
  const auto plain = [&base](const auto& setting) { return plain_field(base, setting.path); };
  return std::all_of(space.parameters.begin(), space.parameters.end(), plain) &&
         std::all_of(space.derived.begin(), space.derived.end(), plain);
}

template bool is_plain(const Space&, const arch::StreamConfig&);

template <class Config>
Configured<Config> configure(const Space& space, const Config& base, const std::vector<std::string>& overrides) {
  Config config = base;
  for (std::size_t i = space.set.size(); i < overrides.size(); ++i) {
    const std::size_t equals = overrides[i].find('=');
    const std::string path = overrides[i].substr(0, equals);
    if (!plain_field(base, path)) {
      try {
        return load(base, space, overrides);
      } catch (const base::UserError& error) {
        return std::string(error.what());
      }
    }
    const std::string problem = arch::set_field(config, path, overrides[i].substr(equals + 1));
    if (!problem.empty()) return problem;
  }
  const std::string problem = arch::refusal(config);
  if (!problem.empty()) return problem;
  return config;
}

template Configured<arch::StreamConfig> configure(const Space&, const arch::StreamConfig&,
                                                  const std::vector<std::string>&);
template Configured<arch::TiledConfig> configure(const Space&, const arch::TiledConfig&,
                                                 const std::vector<std::string>&);

}  // namespace fansim::cli
