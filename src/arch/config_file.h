// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "arch/ddr.h"
#include "arch/device.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/rational.h"
#include "base/yaml.h"

// What the configuration files of all accelerators have in common.
namespace fansim::arch {

// The file with its `--set key.path=value` overrides.
base::YamlNode load_config_document(const std::string& path, const std::vector<std::string>& overrides);

// The kinds of accelerators. Reading a word that none is built for, or another kind than required, is an error.
enum class System { stream, tiled };
System read_system(base::YamlMap& top);
void require_system(base::YamlMap& top, System system);

// `device` is a name in ../devices beside the configuration's folder, or the path of a file.
Device read_device(base::YamlMap& top, const std::string& config_path);

// A clock in MHz that the fabric can have.
bool is_clock(const base::Rational& mhz);
base::Rational read_clock(base::YamlMap& top, const char* key);

// Before the fields are read: what they do not say.
template <class Block>
void prepare_block(base::YamlMap&, Block&) {}
void prepare_block(base::YamlMap& map, DdrConfig& ddr);

// What is wrong with a configuration or one of its blocks: the key to blame, and why.
struct Problem {
  const char* key;
  std::string text;
};
using Problems = std::vector<Problem>;

// Reads one block of the file, if it has it; `check` looks at several of its fields together.
template <class Block, class Check>
void read_block(base::YamlMap& top, const char* key, Block& block, Check&& check) {
  if (!top.has(key)) return;
  base::YamlMap map = top.child(key);
  prepare_block(map, block);
  base::read_fields(map, block);
  map.finish();
  check(map, block);
}

// What is wrong with a memory: the key to blame, none if nothing is.
struct DdrProblem {
  const char* key = nullptr;
  std::string text;
};
DdrProblem problem_of(const DdrConfig& ddr);
void check_part(base::YamlMap& map, const DdrConfig& ddr);  // that a file has one where it must

// The first of a configuration's problems, with the block it is of; empty: none. `check` collects those of a block,
// `system` are those between blocks.
template <class Config, class Check>
std::string first_problem(Config config, Check&& check, const Problems& system) {
  std::string first;
  config.visit_blocks([&](const char* name, const auto& block) {
    Problems problems;
    check(problems, block);
    if (first.empty() && !problems.empty()) first = std::string(name) + ": " + problems.front().text;
  });
  if (first.empty() && !system.empty()) first = system.front().text;
  return first;
}

// FNV-1a of every parameter by its name, however the file wrote it.
class ConfigHash {
 public:
  explicit ConfigHash(const Device& device);

  void add(const std::string& text) { hash_.add(text); }
  template <class Block>
  void operator()(const char* key, const Block& block) {
    for (const base::FieldRow& row : base::field_rows(block))
      hash_.add(fmt::format("{}.{}={}\n", key, row.name, row.fallback));
  }
  void add_part(const DdrConfig& ddr);  // of a banked memory
  std::string text() const { return hash_.text(); }

 private:
  base::Fnv1a hash_;
};

}  // namespace fansim::arch
