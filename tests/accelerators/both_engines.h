// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/accelerator.h"
#include "runs/engine.h"

namespace fansim::test {

struct Comparison {
  int layers = 0;          // compared
  std::string difference;  // the first one
  std::string misfit;      // the network does not fit the machine
};

// How a run with values and one without are called where they differ.
inline const runs::EnginePair kTimed{"with values", "without"};

// Runs the network on the clocked engine and on the fast one, that with replay and by its recurrences alone: every
// layer's cycles, buckets, counters and output bytes. With values, a run without them has the same cycles and bytes
// too. Once per process.
Comparison compare_engines(const std::string& network_file, const accelerators::Accelerator& accelerator, bool values);

}  // namespace fansim::test
