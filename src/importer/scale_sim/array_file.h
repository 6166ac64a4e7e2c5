// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::importer {

// A key of SCALE-Sim's description of an array, and what stands for it here.
struct ArraySetting {
  std::string key, value;
  std::string became;  // "conv.tn 32"; empty: it has no counterpart
  std::string why;
};

struct ArrayFile {
  std::string name;                    // the run's, as the file has it
  std::vector<ArraySetting> settings;  // every key of the file, in its order
  std::vector<std::string> overrides;  // "conv.tn=32"
};

// UserError with the line if the file is no such description, or a number of it none.
ArrayFile read_array(const std::string& path);

// The nearest machine: the tiled accelerator as it comes with the program, one engine of the array's size. `name` is
// the configuration's, `device` the path of its device as seen from the configuration.
std::string configuration_text(const ArrayFile& array, const std::string& name, const std::string& device);

}  // namespace fansim::importer
