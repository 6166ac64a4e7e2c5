// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "compile/compile.h"
#include "contract/faults.h"
#include "contract/host.h"
#include "contract/kept_values.h"
#include "contract/memory_image.h"
#include "contract/program.h"
#include "contract/result.h"
#include "network/reference/reference.h"
#include "runs/frames.h"
#include "sim/timeline.h"
#include "sim/waveform.h"

namespace fansim::runs {

enum class Engine { fast, clocked };
const char* name(Engine engine);
std::vector<std::string> engine_names();
std::optional<Engine> engine_of(const std::string& name);

// Says what is to be run, and what is wanted of the run.
struct Request {
  std::string config, network;         // files
  std::vector<std::string> overrides;  // key.path=value
  std::string layers;                  // "A,B..C"; empty: all
  std::uint64_t seed = 1;              // seed of the tensors that the network does not carry
  std::string input;                   // .npy or a picture; empty: the network's, or random

  std::string checkpoint;  // file of a training that the weights come from; empty: none

  Engine engine = Engine::fast;
  bool replay = true;        // false: the fast engine evaluates every recurrence by itself (timing::EngineOptions)
  bool cross_check = false;  // runs both engines; the results are those of `engine`
  bool values = true;        // false: timing only
  bool pictures = false;    // keep the input and the outputs that no layer reads, where they are pictures, and mappings
  bool strict = false;      // leaves nothing to the host's software
  bool counters = false;    // reports what every block counted; clocked engine only
  bool mapping = false;     // reports how every layer lies on the machine
  bool verify = false;      // compares every output with the reference executor
  std::string dump_folder;  // gets every layer's output as .npy, and as a picture where it is one; empty: none
  std::string out;          // file to which the caller writes Run::output; it is refused early if it cannot hold that
  std::string recorded_bucket;  // the waveform begins with its first cycle and has recorded_edges edges; empty: all
  sim::Edge recorded_edges = 0;
  sim::Timeline* timeline = nullptr;  // records what the clocked engine does

  // These faults come on top of those of the configuration. Only the clocked engine knows faults that hit more than
  // values between layers. With such faults it runs, or the run is refused if the user asked for the fast engine
  // (`engine_said`).
  std::vector<contract::Fault> faults;
  bool engine_said = false;

  int frames = 0;  // this many run back to back; 0: one, and nothing is reported about frames

  // These pass on to the fast engine what other runs of the same program need (timing::EngineOptions).
  std::shared_ptr<contract::KeptValues> kept;
  contract::MemoryImage* memory_after = nullptr;

  std::function<void(double fraction)> on_progress;
  // Is called when the program is known and before it runs, and throws if something cannot be written. It returns the
  // waveform that the clocked engine is to record, or null.
  std::function<std::unique_ptr<sim::Waveform>(const contract::Program&, const accelerators::Accelerator&)> on_program;
};

struct Shown {
  std::string name;
  network::Tensor map;
};

// Holds the result of a run.
struct Run {
  std::unique_ptr<accelerators::Accelerator> accelerator;
  std::string network_name, network_hash;
  Engine engine = Engine::fast;
  // Has a value if the network does not fit the accelerator's buffers. Then nothing ran.
  std::optional<compile::Unschedulable> unschedulable;
  contract::Loading loading;                  // before the first layer
  std::vector<contract::LayerResult> layers;  // every layer of the program, in its order
  network::Tensor output;                     // output of the last layer that ran; empty without values
  std::vector<Shown> pictures;                // only if they were asked for; the input is first
  std::vector<std::string> differences;       // from the reference executor, and between the engines
  bool bytes_compared = false;                // true: the cross-check compared bytes, not only counts
  Frames frames;                              // only if they were asked for
  std::optional<contract::FaultLog> faults;   // only if the machine has faults
  network::RoundingErrors rounding;           // errors of kernels that round, by the reference executor

  const contract::LayerResult& layer(const std::string& name) const;
  contract::LayerResult total() const;
  base::Cycles cycles_of(const contract::LayerResult& layer, const std::string& bucket) const {
    return accelerator->account().cycles_of(layer, bucket);
  }
  double seconds(base::Cycles cycles) const { return static_cast<double>(cycles) / accelerator->config().clock_hz(); }
};

// Loads, prepares, compiles, simulates and compares. The clocked engine can be elaborated once per process. Throws
// base::UserError, base::Interrupted.
Run run(const Request& request);

}  // namespace fansim::runs
