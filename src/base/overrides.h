// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/yaml.h"

namespace fansim::base {

// Applies one `--set key.path=value` to a loaded document before it is read. The value is YAML (a word, number, list or
// map). Missing maps on the way are created, and a map that is kept in another file is inlined first. If a reader later
// finds the value wrong, it reports "--set key.path=value: ...".
void apply_override(YamlNode& document, const std::string& setting);

// Returns the value of an option as YAML. If a reader finds it wrong, it reports the error at `where`.
YamlNode option_value(const std::string& text, const Location& where);

inline void apply_overrides(YamlNode& document, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) apply_override(document, setting);
}

}  // namespace fansim::base
