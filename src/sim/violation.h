// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "sim/clock_domain.h"

namespace fansim::sim {

// Our model broke a rule of its own, or nothing moved any more: never the user's fault, exit code 4.
class Violation : public std::logic_error {
 public:
  Violation(const std::string& instance, Edge cycle, const std::string& what)
      : std::logic_error(fmt::format("{}: {}, cycle {}", instance, what, cycle)) {}
};

// What was waited for never came.
class Hang final : public Violation {
 public:
  using Violation::Violation;
};

}  // namespace fansim::sim
