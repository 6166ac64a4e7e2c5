// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerators/tiled/timing/read_runs.h"
#include "accelerators/tiled/timing/write_runs.h"

// What a path took in of its runs, as words: how many items of each kind, then these (timing/replay/replayed.h).
namespace fansim::tiled {

struct ReadTrace {
  static void take(ReadRuns& runs, std::vector<std::uint64_t>& words);
  static bool again(ReadRuns& runs, const std::uint64_t* words);
};

struct WriteTrace {
  static void take(WriteRuns& runs, std::vector<std::uint64_t>& words);
  static bool again(WriteRuns& runs, const std::uint64_t* words);
};

}  // namespace fansim::tiled
