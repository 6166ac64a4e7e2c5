// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fuzz/target.h"

namespace fansim::test {

// What a file did: how the program would end, and what it must not do.
struct Trial {
  int code = 0;
  std::string fault;  // empty: none
  std::string said;   // to the user, of what was refused
};

// The file through its target in this process, as main would do it. A fault that is no exception ends the process.
Trial attempt(const Target& target, const std::string& content);

// Bytes of address space that the program itself is given, whatever the file, in a build without sanitizers.
constexpr std::size_t kMostAddressSpace = std::size_t{4} << 30;

// The same by the program itself.
Trial attempt_program(const Target& target, const std::string& content);

}  // namespace fansim::test
