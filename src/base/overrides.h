// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/yaml.h"

namespace fansim::base {

// Applies one `--set key.path=value` to a loaded document before it is read. The value is YAML (a word, number, list or
// map); missing maps on the way are created, a map kept in another file is inlined first. What a reader later finds
// wrong with the value is reported as "--set key.path=value: ...".
void apply_override(YamlNode& document, const std::string& setting);

// The value of an option as YAML; what a reader finds wrong with it is reported at `where`.
YamlNode option_value(const std::string& text, const Location& where);

inline void apply_overrides(YamlNode& document, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) apply_override(document, setting);
}

}  // namespace fansim::base
