// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

namespace fansim::base {

// Thrown when work is given up because of SIGINT.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// Remembers the first SIGINT from here on. A second one ends the process as usual.
void catch_interrupts();
bool interrupted();
void stop_if_interrupted();  // throws Interrupted

}  // namespace fansim::base
