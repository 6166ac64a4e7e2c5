// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/subcommand.h"

namespace fansim::cli {

// A word as a shell takes it back.
inline std::string quoted(const std::string& word) {
  const bool plain = word.find_first_of(" \t\"'$*?&|;<>()[]{}") == std::string::npos && !word.empty();
  return plain ? word : "'" + word + "'";
}

// The command as it can be given again.
inline std::string command_line(const std::string& subcommand, const Arguments& arguments) {
  std::string line = "fansim " + subcommand;
  for (const std::string& argument : arguments) line += " " + quoted(argument);
  return line;
}

}  // namespace fansim::cli
