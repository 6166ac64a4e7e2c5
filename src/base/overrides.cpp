// SPDX-License-Identifier: Apache-2.0
#include "base/overrides.h"

#include <fmt/format.h>

namespace fansim::base {
namespace {

void relocate(YamlNode& node, const Location& where) {
  node.where = where;
  for (YamlNode& item : node.items) relocate(item, where);
  for (YamlEntry& entry : node.entries) {
    entry.where = where;
    relocate(entry.value, where);
  }
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> keys{""};
  for (const char c : path) {
    if (c == '.') {
      keys.emplace_back();
    } else {
      keys.back() += c;
    }
  }
  return keys;
}

YamlNode& entry(YamlNode& map, const std::string& key, const Location& where) {
  if (YamlNode* node = map.find(key)) return *node;
  map.entries.push_back({key, where, {}});
  return map.entries.back().value;
}

}  // namespace

YamlNode option_value(const std::string& text, const Location& where) {
  YamlNode value = text.empty() ? YamlNode() : parse_yaml(text, where.file);
  relocate(value, where);
  return value;
}

void apply_override(YamlNode& document, const std::string& setting) {
  // Messages show kShown characters of the setting, because every value keeps its place as text.
  constexpr std::size_t kDeepest = 64, kShown = 200;
  const std::string shown = setting.size() > kShown ? setting.substr(0, kShown) + "..." : setting;
  const Location where{"--set " + shown, 0, 0};
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) throw UserError(where, "expected key.path=value");
  const std::vector<std::string> keys = split(setting.substr(0, equals));
  if (keys.size() > kDeepest) throw UserError(where, fmt::format("nested deeper than {} levels", kDeepest));
  for (const std::string& key : keys) {
    if (key.empty()) throw UserError(where, "expected key.path=value: a key is empty");
  }
  const YamlNode value = option_value(setting.substr(equals + 1), where);

  YamlNode* node = &document;
  if (node->kind != YamlNode::Kind::null && node->kind != YamlNode::Kind::map)
    throw UserError(node->where, "expected a map, found " + node->found());
  std::string file = document.where.file;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (node->kind == YamlNode::Kind::null) {
      node->kind = YamlNode::Kind::map;
      node->where = {file, 0, 0};
    } else if (node->kind != YamlNode::Kind::map) {
      try {
        *node = inlined(*node, file);
      } catch (const UserError& error) {
        throw UserError(where, fmt::format("'{}': {}", keys[i - 1], error.what()));
      }
      file = node->where.file;
    } else if (node->where.line > 0) {
      file = node->where.file;  // an earlier override inlined it
    }
    node = &entry(*node, keys[i], where);
  }
  *node = value;
}

}  // namespace fansim::base
