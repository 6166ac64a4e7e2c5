// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "fuzz/trial.h"

namespace fansim::test {

// A file that did what none may do.
struct Find {
  std::string fault;    // in a line
  std::string content;  // made small
};

struct Tally {
  std::int64_t files = 0, refused = 0, misfits = 0, interrupted = 0;
  std::int64_t kept = 0;  // mutants that took a new way, and that others were made of
  double cpu_seconds = 0;
  std::vector<Find> finds;  // of each kind one
};

// So many of the target's seeds, as they are; or mutants of them for so much time.
struct Effort {
  double cpu_seconds = 0;
  std::int64_t files = 0;
};

// In children, each of which takes some.
Tally campaign(const Target& target, std::uint64_t seed, const Effort& effort);

// One file, in a child.
Trial tried(const Target& target, const std::string& content);

}  // namespace fansim::test
