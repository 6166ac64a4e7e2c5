// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "contract/ddr.h"

// Keys that do not act in a configuration, because of what others say: they change nothing, or are as another value.
// Files may have them, for parts serve several machines; who sets one by hand is told.
namespace fansim::contract {

struct IdleKey {
  std::string key;  // "ddr.data_bits"; or a block or a part of one, with all keys in it
  std::string why;
};
using IdleKeys = std::vector<IdleKey>;

// Adds keys of one block that are idle for one reason.
void add_idle(IdleKeys& idle, const std::string& block, const std::vector<const char*>& keys, const std::string& why);

// Adds the memory's.
void add_idle(IdleKeys& idle, const DdrConfig& ddr, const MemoryPorts& ports);

// Adds a number above `most`, which is as `most`, since `why`.
void add_above(IdleKeys& idle, const char* key, int value, int most, const std::string& why);

// Returns why a key is idle, or null.
const std::string* why_idle(const IdleKeys& idle, const std::string& key);

// Throws UserError at a `--set key.path=value` of an idle key.
void refuse_idle(const IdleKeys& idle, const std::vector<std::string>& overrides);

// A machine of which no key is idle because of another needs no add_idle() of its own.
template <class Config>
void add_idle(IdleKeys&, const Config&) {}

// Returns the idle keys of a configuration: those of its kind, its memory's, and what add_idle(idle, config) in the
// namespace of Config adds.
template <class Config>
IdleKeys idle_keys(const Config& config) {
  IdleKeys idle;
  for (const auto& key : Config::kInert) idle.push_back({key.key, key.why});
  add_idle(idle, config.ddr, config.memory_ports());
  add_idle(idle, config);
  return idle;
}

}  // namespace fansim::contract
