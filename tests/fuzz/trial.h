// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fuzz/target.h"

namespace fansim::test {

// Holds what a file caused: the program's exit code, and anything that it must not do.
struct Trial {
  int code = 0;
  std::string fault;  // empty: none
  std::string said;   // to the user, of what was refused
};

// Processes the file through its target in this process, as main would. A fault that is no exception ends the process.
Trial attempt(const Target& target, const std::string& content);

// This limits the address space of the program itself, for any file, in a build without sanitizers.
constexpr std::size_t kMostAddressSpace = std::size_t{4} << 30;

// Does the same with the program itself.
Trial attempt_program(const Target& target, const std::string& content);

}  // namespace fansim::test
