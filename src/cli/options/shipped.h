// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::cli {

// Return the file that a word stands for. What comes with the program goes by its name alone: `zcu102_stream` stands
// for .../configs/systems/zcu102_stream.yaml, unless a file of the name `zcu102_stream` exists. A word that looks like
// a path, or that stands for standard input, is returned unchanged. Throws UserError, with the nearest name, if a word
// names neither.
std::string config_file(const std::string& word);
std::string network_file(const std::string& word);
std::string space_file(const std::string& word);
// Return the files that come with the program, folder by folder, and their names, sorted.
std::vector<std::string> config_files();
std::vector<std::string> network_files();
std::vector<std::string> space_files();
std::vector<std::string> shipped_configs();
std::vector<std::string> shipped_networks();
std::vector<std::string> shipped_spaces();

}  // namespace fansim::cli
