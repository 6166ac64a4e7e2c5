// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::cli {

// What comes with the program goes by its name alone: `zcu102_stream` for .../configs/systems/zcu102_stream.yaml. A
// file of that name comes first. UserError at a word that names neither, with the nearest that does; what looks like a
// path, or stands for standard input, is returned as it is.
std::string config_file(const std::string& word);
std::string network_file(const std::string& word);
std::string space_file(const std::string& word);
// Their files, sorted; and names, likewise.
std::vector<std::string> config_files();
std::vector<std::string> network_files();
std::vector<std::string> space_files();
std::vector<std::string> shipped_configs();
std::vector<std::string> shipped_networks();
std::vector<std::string> shipped_spaces();

}  // namespace fansim::cli
