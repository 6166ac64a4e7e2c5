// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <functional>
#include <string>
#include <vector>

#include "support/user_error.h"

namespace fansim::test {

struct Outcome {
  int code = 0;
  std::string out, err;
  std::string first_line() const { return out.substr(0, out.find('\n')); }
};

// Says where a run's outputs go, and what its process does before it becomes the program.
struct Surroundings {
  std::string out = "/dev/null", err = "/dev/null";
  std::function<void()> prepare = [] {};
};

// Runs the built program to its end, its outputs in files.
Outcome run_program(
    const std::vector<std::string>& arguments, const std::function<void()>& prepare = [] {});

// A run in the background.
pid_t start_program(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});
int wait_for(pid_t child);  // its exit code; 1000 + the signal that ended it

// Makes a copy of the built program in whose build id, given in hexadecimal, one bit is flipped.
void copy_of_another_build(const std::string& id, const std::string& copy);

std::string config(const std::string& name);  // the path of one that comes with the program
std::string model(const std::string& name);

std::vector<std::string> files_in(const std::string& folder);

}  // namespace fansim::test
