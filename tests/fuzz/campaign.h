// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "fuzz/trial.h"

namespace fansim::test {

// Holds a file that caused what no file may cause.
struct Find {
  std::string fault;    // in a line
  std::string content;  // made small
};

struct Tally {
  std::int64_t files = 0, refused = 0, misfits = 0, interrupted = 0;
  std::int64_t kept = 0;  // mutants that took a new way, and that others were made of
  double cpu_seconds = 0;
  std::vector<Find> finds;  // one of each kind
};

// Sets the extent of a campaign: either a number of the target's seeds, unchanged, or a time for mutants of them.
struct Effort {
  double cpu_seconds = 0;
  std::int64_t files = 0;
};

// Runs in children, each of which processes some files.
Tally campaign(const Target& target, std::uint64_t seed, const Effort& effort);

// Processes one file, in a child.
Trial tried(const Target& target, const std::string& content);

}  // namespace fansim::test
