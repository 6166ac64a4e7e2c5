// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace fansim::arch {

// Where a layer's cycles went: the state of the MAC array at every edge, first match wins (docs/timing.md).
enum class Bucket {
  compute,
  drain,
  fill,
  wait_output,
  wait_weights,
  wait_input,
  ddr_refresh,
  ddr_row_miss,
  ddr_turnaround,
  ddr_arbitration,
  dma_setup,
  host,
  idle,
};
constexpr int kBuckets = 13;

const char* name(Bucket bucket);
const char* meaning(Bucket bucket);

using Buckets = std::array<base::Cycles, kBuckets>;

// What one stage of a layer's pipeline did: its tiles, and the cycles from each tile's begin to its end, summed.
struct StageResult {
  std::string name;
  std::int64_t tiles = 0;
  std::int64_t beats = 0;  // of the memory streams
  base::Cycles cycles = 0;
};

struct LayerResult {
  std::string name;
  std::string type;
  int layer = 0;  // index in the network
  base::Cycles cycles = 0;
  std::int64_t macs = 0;
  std::int64_t bytes_read = 0;     // from DDR, useful bytes of the transfers
  std::int64_t bytes_written = 0;  // to DDR
  std::int64_t accumulator_overflows = 0;
  Buckets buckets{};
  std::vector<StageResult> stages;  // of an accelerator whose layers run in stages
  std::string output_hash;          // empty with --timing-only
};

}  // namespace fansim::arch
