// SPDX-License-Identifier: Apache-2.0
#include "report/resolved.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;
using Block = contract::ResolvedConfig::Block;
using Value = contract::ResolvedConfig::Value;

bool given(const Value& value) { return value.type != "text" || !value.text.empty(); }

// Quotes texts only, since only a text may look like a value of another type.
std::string scalar(const Value& value) { return value.type == "text" ? Json(value.text).dump() : value.text; }

std::string counted(const Value& value) {
  if (value.counted.empty()) return "";
  return fmt::format("  # {} {}", value.counted, value.type == "cost" ? "cycles" : "bits");
}

void add(std::string& out, const Block& block, const std::string& indent) {
  for (const Value& value : block.values)
    if (given(value)) out += fmt::format("{}{}: {}{}\n", indent, value.key, scalar(value), counted(value));
  for (const Block& inner : block.blocks) {
    out += fmt::format("{}{}:\n", indent, inner.key);
    add(out, inner, indent + "  ");
  }
}

Json number(const Value& value) {
  if (value.type == "int") return std::stoll(value.text);
  if (value.type == "number") return std::stod(value.text);
  if (value.type == "list") return Json::parse(value.text);
  if ((value.type == "cost" || value.type == "bandwidth") && value.text.find(' ') == std::string::npos)
    return std::stoll(value.text);
  if (value.type == "bool") return value.text == "true";
  if (value.type == "rational" && value.text.find('/') == std::string::npos) return Json::parse(value.text);
  return value.text;
}

Json object(const Block& block) {
  Json json = Json::object();
  for (const Value& value : block.values)
    if (given(value)) json[value.key] = number(value);
  for (const Block& inner : block.blocks) json[inner.key] = object(inner);
  return json;
}

}  // namespace

std::string resolved_yaml(const contract::ResolvedConfig& config) {
  std::string out;
  add(out, config.top, "");
  return out;
}

Json resolved_json(const contract::ResolvedConfig& config) { return object(config.top); }

Json costs_json(const contract::ResolvedConfig& config) {
  Json json = Json::object();
  for (const auto& cost : config.costs) json[cost.key] = {{"cycles", cost.cycles}, {"ns", cost.nanoseconds}};
  return json;
}

}  // namespace fansim::report
