// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "contract/faults.h"
#include "contract/frames.h"
#include "contract/result.h"
#include "runs/memory_difference.h"
#include "runs/observer.h"
#include "runs/prepare.h"
#include "runs/request.h"

namespace fansim::runs {

// Holds what one engine made of the program.
struct Simulated {
  EngineUse engine;
  // With several frames, these are the driven layers of the first frame and the rest of the last frame, beside which no
  // next frame runs.
  std::vector<contract::LayerResult> layers;
  std::vector<LayerMemory> memory;    // of each layer, if engines are compared byte by byte
  std::vector<contract::Span> spans;  // of the layers of all frames; clocked engine only
  contract::FaultLog faults;
};

// The third stage of a run: runs the engine that reports and, before it, those that a cross-check compares with it. The
// observer sees the outputs of the engine that reports. The result begins with that engine. Takes the program and the
// waveform out of `prepared`.
std::vector<Simulated> simulate(const Request& request, const accelerators::Accelerator& accelerator,
                                Prepared& prepared, Observer& observer);

}  // namespace fansim::runs
