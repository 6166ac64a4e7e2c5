// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "sim/clock_domain.h"

namespace fansim::sim {

// The model broke one of its own rules, or nothing moved any more. It is never the user's fault; the exit code is 4.
class Violation : public std::logic_error {
 public:
  Violation(const std::string& instance, Edge cycle, const std::string& what)
      : std::logic_error(fmt::format("{}: {}, cycle {}", instance, what, cycle)) {}
};

// Something for which a block waited never came.
class Hang final : public Violation {
 public:
  using Violation::Violation;
};

}  // namespace fansim::sim
