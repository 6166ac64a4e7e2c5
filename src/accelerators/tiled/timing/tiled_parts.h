// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "accelerators/tiled/timing/read_stream.h"
#include "accelerators/tiled/timing/write_stream.h"
#include "timing/memory.h"

namespace fansim::tiled {

// What a layer is timed with: who follows its paths, and the memory behind them.
struct TiledParts {
  PathConfigs configs;
  std::unique_ptr<timing::Memory> memory;
  std::unique_ptr<ReadStream::Follower> inputs, weights;
  std::unique_ptr<WriteStream::Follower> outputs;
  bool closed_forms = false;  // points that flow are taken many at once
};

// The recurrences alone.
TiledParts computed_parts(const Config& config);

// The port that weights are read from, and how many there are.
inline int weight_port(const Config& c) { return c.load.order == LoadOrder::parallel ? 1 : 0; }
inline int ports(const Config& c) { return weight_port(c) + 1; }

}  // namespace fansim::tiled
