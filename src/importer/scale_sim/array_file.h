// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::importer {

// Holds a key of SCALE-Sim's description of an array, and what represents it here.
struct ArraySetting {
  std::string key, value;
  std::string became;  // "conv.tn 32"; empty: it has no counterpart
  std::string why;
};

struct ArrayFile {
  std::string name;                    // name of the run in the file
  std::vector<ArraySetting> settings;  // every key of the file, in its order
  std::vector<std::string> overrides;  // "conv.tn=32"
};

// Throws UserError with the line if the file is no such description, or if a value is no number.
ArrayFile read_array(const std::string& path);

// Writes the nearest machine: the shipped tiled accelerator with one engine of the array's size. `name` is the name of
// the configuration, `device` the path of its device relative to the configuration.
std::string configuration_text(const ArrayFile& array, const std::string& name, const std::string& device);

}  // namespace fansim::importer
