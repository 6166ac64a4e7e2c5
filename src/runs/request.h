// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "contract/faults.h"
#include "contract/kept_values.h"
#include "contract/memory_image.h"
#include "contract/program.h"
#include "runs/engine.h"
#include "sim/timeline.h"
#include "sim/waveform.h"

namespace fansim::runs {

// Says what is to be run, and what is wanted of the run, in the order of its stages.
struct Request {
  // Load.
  std::string config, network;         // files
  std::vector<std::string> overrides;  // key.path=value
  std::uint64_t seed = 1;              // seed of the tensors that the network does not carry
  std::string input;                   // .npy or a picture; empty: the network's, or random
  std::string checkpoint;              // file of a training that the weights come from; empty: none

  // Prepare.
  std::string layers;   // "A,B..C"; empty: all
  bool values = true;   // false: timing only
  bool strict = false;  // leaves nothing to the host's software
  // These faults come on top of those of the configuration. Only the clocked engine knows faults that hit more than
  // values between layers. With such faults it runs, or the run is refused if the user asked for the fast engine
  // (`engine_said`).
  std::vector<contract::Fault> faults;
  bool engine_said = false;
  // Is called when the program is known and before it runs, and throws if something cannot be written. It returns the
  // waveform that the clocked engine is to record, or null.
  std::function<std::unique_ptr<sim::Waveform>(const contract::Program&, const accelerators::Accelerator&)> on_program;

  // Simulate.
  Engine engine = Engine::fast;
  bool replay = true;           // false: the fast engine evaluates every recurrence by itself (timing::EngineOptions)
  int frames = 0;               // this many run back to back; 0: one, and nothing is reported about frames
  std::string recorded_bucket;  // the waveform begins with its first cycle and has recorded_edges edges; empty: all
  sim::Edge recorded_edges = 0;
  sim::Timeline* timeline = nullptr;  // records what the clocked engine does
  bool counters = false;              // reports what every block counted; clocked engine only
  // These pass on to the fast engine what other runs of the same program need (timing::EngineOptions).
  std::shared_ptr<contract::KeptValues> kept;
  contract::MemoryImage* memory_after = nullptr;
  std::function<void(double fraction)> on_progress;

  // Judge.
  bool verify = false;       // compares every output with the reference executor
  bool cross_check = false;  // runs both engines, the fast one also without replay; the results are those of `engine`

  // Show.
  bool mapping = false;     // reports how every layer lies on the machine
  bool traffic = false;     // keeps the mappings of layers that have one
  bool pictures = false;    // keeps the input and the outputs that no layer reads, where they are pictures
  std::string dump_folder;  // gets every layer's output as .npy, and as a picture where it is one; empty: none
  std::string out;          // file to which the caller writes Run::output; it is refused early if it cannot hold that
};

}  // namespace fansim::runs
