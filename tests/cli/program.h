// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <string>
#include <vector>

#include "support/user_error.h"

namespace fansim::test {

struct Outcome {
  int code = 0;
  std::string out, err;
  std::string first_line() const { return out.substr(0, out.find('\n')); }
};

// Runs the built program to its end.
Outcome run_program(const std::vector<std::string>& arguments);

// A run in the background, its outputs thrown away.
pid_t start_program(const std::vector<std::string>& arguments);
int wait_for(pid_t child);  // its exit code; 1000 + the signal that ended it

std::string config(const std::string& name);  // the path of one that comes with the program
std::string model(const std::string& name);

std::vector<std::string> files_in(const std::string& folder);

}  // namespace fansim::test
