// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "contract/kept_values.h"
#include "contract/memory_image.h"
#include "contract/program.h"
#include "contract/result.h"

namespace fansim::timing {

class SharedParameters;

// What a run of a whole program does beside timing it.
struct EngineOptions {
  // At each layer's end: look at the outputs in DDR, complete the result.
  std::function<void(const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&)> on_layer;
  // Ahead of each layer's first step, `cycle` cycles after the first one's: may change the memory.
  std::function<void(const contract::LayerPlan&, std::int64_t cycle, std::uint8_t* ddr)> before_layer;
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
  bool values = true;
  bool timing = true;  // false: the results count nothing
  bool replay = true;  // false: every recurrence is evaluated by itself; the same results, slower
  // Is given the program's memory as the run leaves it, for the next run of the same program: whatever a program reads
  // was there before it, or it has written it before. Null: nobody wants it.
  contract::MemoryImage* memory_after = nullptr;
  // What others of the same program, from the same weights in memory, left for this one; null: it runs for itself.
  std::shared_ptr<contract::KeptValues> kept;
  // Parameters that the program left lie there, for all such runs; null: they are written into its own memory.
  std::shared_ptr<SharedParameters> parameters;
};

}  // namespace fansim::timing
