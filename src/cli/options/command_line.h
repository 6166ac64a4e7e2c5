// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/text.h"
#include "cli/options/subcommand.h"

namespace fansim::cli {

// Returns the command in a form that can be entered again.
inline std::string command_line(const std::string& subcommand, const Arguments& arguments) {
  std::string line = "fansim " + subcommand;
  for (const std::string& argument : arguments) line += " " + base::shell_word(argument);
  return line;
}

}  // namespace fansim::cli
