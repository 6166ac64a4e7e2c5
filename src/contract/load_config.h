// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/set_field.h"
#include "contract/config_file.h"

// Loads the configurations of all accelerators. A Config derives from ConfigBase, names its kSystem and visits its
// blocks and clocks. Rules derives from BlockRules and has `between(config)`, which checks what one block requires of
// another.
namespace fansim::contract {

template <class Config>
std::string hash_of(Config& config) {
  ConfigHash hash(config.device);
  config.visit_clocks(
      [&hash](const char* key, const base::Rational& mhz) { hash.add(fmt::format("{}={}\n", key, mhz.text())); });
  config.visit_blocks(hash);
  hash.add_part(config.ddr);
  for (const Fault& fault : config.faults) hash.add(fault.text() + "\n");
  return hash.text();
}

// Reads one block of the file, if the file has it, and counts its costs in that clock.
template <class Rules, class Block>
void read_block(base::YamlMap& top, const char* key, Block& block, const base::Rational& clock,
                std::vector<KeyRange>& ranges) {
  if (!top.has(key)) {
    for (const auto& problem : base::follow_clock(block, clock)) top.fail(key, std::string(key) + "." + problem.text);
    return;
  }
  base::YamlMap map = top.child(key);
  prepare_block(map, block);
  base::read_fields(map, block);
  for (const auto& problem : base::follow_clock(block, clock)) map.fail(problem.field, problem.text);
  read_ranges(map, key, base::field_rows(block), clock, ranges);
  map.finish();
  Rules::check_file(map, block);
  Problems problems;
  Rules::check(problems, block);
  for (const Problem& problem : problems) map.fail(problem.key, problem.text);
}

// Reads a configuration file with `--set key.path=value` overrides. Throws base::UserError. Every file must give the
// first clock.
template <class Config, class Rules>
Config load_config(const std::string& path, const std::vector<std::string>& overrides) {
  base::YamlMap top(load_config_document(path, overrides));
  Config config;
  top.integer("version", 1, 1);
  config.name = top.text("name");
  require_system(top, Config::kSystem);
  config.device = read_device(top, path);
  config.visit_clocks([&, required = true](const char* key, base::Rational& mhz) mutable {
    if (required || top.has(key)) mhz = read_clock(top, key);
    required = false;
  });
  config.visit_blocks(
      [&](const char* key, auto& block) { read_block<Rules>(top, key, block, config.clock_of(key), config.ranges); });
  config.faults = read_faults(top);
  top.finish();
  for (const Problem& problem : Rules::between(config)) top.fail(problem.key, problem.text);
  config.hash = hash_of(config);
  return config;
}

// Returns why the loader would refuse a configuration that was changed since it was loaded; empty if it would not.
template <class Rules, class Config>
std::string first_refusal(Config config) {
  std::string first;
  config.visit_blocks([&](const char* name, auto& block) {
    Problems problems;
    for (const auto& problem : base::follow_clock(block, config.clock_of(name)))
      problems.push_back({problem.field, problem.text});
    Rules::check(problems, block);
    if (first.empty() && !problems.empty()) first = std::string(name) + ": " + problems.front().text;
  });
  if (!first.empty()) return first;
  const Problems between = Rules::between(config);
  return between.empty() ? "" : between.front().text;
}

// Counts all costs in the clocks that the configuration has now. Whether they keep their limits is not checked.
template <class Config>
void follow_clocks(Config& config) {
  config.visit_blocks([&config](const char* name, auto& block) { base::follow_clock(block, config.clock_of(name)); });
}

// Sets the field "block.field", or a clock, which all costs follow. That costs a thousandth of reading the file again,
// so searches do it. Returns what is wrong with the text; empty if nothing is.
template <class Config>
std::string set_field(Config& config, const std::string& path, const std::string& text) {
  bool clock = false;
  std::string problem;
  config.visit_clocks([&](const char* key, base::Rational& mhz) {
    if (path != key) return;
    clock = true;
    const auto parsed = base::parse_rational(text);
    if (!parsed || !is_clock(*parsed)) {
      problem = fmt::format("{} '{}' is no clock", path, text);
    } else if (const std::string wrong = base::too_fine(*parsed); !wrong.empty()) {
      problem = path + ": " + wrong;
    } else {
      mhz = *parsed;
    }
  });
  if (clock) {
    follow_clocks(config);
    return problem;
  }
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return fmt::format("'{}' is no field", path);
  const std::string wanted = path.substr(0, dot);
  base::SetField field(path.substr(dot + 1), text);
  config.visit_blocks([&](const char* name, auto& block) {
    if (wanted != name) return;
    block.visit(field);
    base::follow_clock(block, config.clock_of(name));
  });
  if (!field.found()) return fmt::format("'{}' is no field", path);
  return field.problem().empty() ? "" : wanted + ": " + field.problem();
}

// Returns the rows of one of a configuration's blocks.
template <class Config, class Block>
std::vector<base::FieldRow> rows_of(const char* name, const Block& block) {
  std::vector<base::FieldRow> rows = base::field_rows(block);
  for (base::FieldRow& row : rows)
    for (const base::InertKey& inert : Config::kInert) {
      if (std::string(name) + "." + row.name != inert.key) continue;
      row.effect = base::inert();
      row.doc += fmt::format(" (without effect on {}: {})", Config::kSystem, inert.why);
    }
  return rows;
}

// Returns every field of a configuration's blocks by its key, "block.field".
template <class Config>
const std::unordered_map<std::string, base::FieldRow>& fields_of() {
  static const std::unordered_map<std::string, base::FieldRow> kFields = [] {
    std::unordered_map<std::string, base::FieldRow> fields;
    Config().visit_blocks([&fields](const char* name, auto& block) {
      for (const base::FieldRow& row : rows_of<Config>(name, block)) fields[std::string(name) + "." + row.name] = row;
    });
    return fields;
  }();
  return kFields;
}

// Returns what a key acts on. A key that is no field, such as a clock or the device, may act on anything.
template <class Config>
base::Effect effect_of(const std::string& path) {
  const auto field = fields_of<Config>().find(path);
  return field == fields_of<Config>().end() ? base::Effect{} : field->second.effect;
}

// Returns whether setting a key does all that a file with that key would do. A search asks this for every point.
template <class Config>
bool is_plain(const std::string& path) {
  static const std::unordered_set<std::string> kPlain = [] {
    std::unordered_set<std::string> plain;
    Config().visit_clocks([&plain](const char* key, const base::Rational&) { plain.insert(key); });
    for (const auto& [key, row] : fields_of<Config>())
      if (!row.effect.by_file) plain.insert(key);
    return plain;
  }();
  return kPlain.count(path) > 0;
}

// Returns every key that `--set` may name: the blocks, their fields and the keys beside them.
template <class Config>
std::vector<std::string> keys_of(Config config) {
  std::vector<std::string> keys{"device", "ddr.part"};
  config.visit_clocks([&keys](const char* key, const base::Rational&) { keys.emplace_back(key); });
  config.visit_blocks([&keys](const char* name, auto& block) {
    keys.emplace_back(name);
    for (const base::FieldRow& row : base::field_rows(block)) keys.push_back(std::string(name) + "." + row.name);
  });
  return keys;
}

}  // namespace fansim::contract
