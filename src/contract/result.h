// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arith/saturation.h"
#include "base/units.h"
#include "contract/mapping.h"

namespace fansim::contract {

// What one stage of a layer's pipeline did: its tiles, and the cycles from each tile's begin to its end, summed.
struct StageResult {
  std::string name;
  std::int64_t tiles = 0;
  std::int64_t beats = 0;  // beats of the memory streams
  base::Cycles cycles = 0;
};

// A counter of one block, and how far it counted in a layer.
struct BlockCount {
  std::string block;    // instance name
  std::string counter;  // name within the block
  std::string unit, meaning;
  std::int64_t value = 0;
};

// The figures of one layer's run. statistics.h declares them.
struct LayerResult {
  std::string name;
  std::string type;
  bool on_host = false;  // the host's software computed this layer
  int layer = 0;         // index in the network
  base::Cycles cycles = 0;
  std::int64_t macs = 0;
  std::int64_t bytes_read = 0;     // from DDR, useful bytes of the transfers
  std::int64_t bytes_written = 0;  // to DDR
  std::int64_t accumulator_overflows = 0;
  std::optional<arith::Saturation> saturation;  // null without values, or if the machine has no quantiser
  std::map<std::string, std::int64_t> own;      // the machine's own statistics, by key
  std::vector<base::Cycles> buckets;            // in the order of the machine's list; empty: the layer did not run
  std::vector<StageResult> stages;              // if the accelerator's layers run in stages
  std::vector<BlockCount> counters;             // counters of every block, if the clocked engine was asked for them
  std::string output_hash;                      // empty with --timing-only
  std::optional<Mapping> mapping;               // for a layer with steps, if it was asked for
};

// Returns the stage of that name. Throws std::out_of_range if there is none.
const StageResult& stage(const LayerResult& layer, const std::string& name);

}  // namespace fansim::contract
