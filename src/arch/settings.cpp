// SPDX-License-Identifier: Apache-2.0
#include "arch/settings.h"

#include <fmt/format.h>

#include "arch/config_file.h"
#include "base/set_field.h"

namespace fansim::arch {
namespace {

std::string set_clock(base::Rational& clock, const std::string& path, const std::string& text) {
  const auto parsed = base::parse_rational(text);
  if (!parsed || !is_clock(*parsed)) return fmt::format("{} '{}' is no clock", path, text);
  clock = *parsed;
  return "";
}

template <class Config>
std::string set_block(Config& config, const std::string& path, const std::string& text) {
  if (path == "clock_mhz") return set_clock(config.clock_mhz, path, text);
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return fmt::format("'{}' is no field", path);
  const std::string wanted = path.substr(0, dot);
  base::SetField field(path.substr(dot + 1), text);
  config.visit_blocks([&](const char* name, auto& block) {
    if (wanted == name) block.visit(field);
  });
  if (!field.found()) return fmt::format("'{}' is no field", path);
  return field.problem().empty() ? "" : wanted + ": " + field.problem();
}

}  // namespace

std::string set_field(StreamConfig& config, const std::string& path, const std::string& text) {
  return set_block(config, path, text);
}

std::string set_field(TiledConfig& config, const std::string& path, const std::string& text) {
  return path == "port_mhz" ? set_clock(config.port_mhz, path, text) : set_block(config, path, text);
}

}  // namespace fansim::arch
