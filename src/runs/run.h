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

// What is to be run, and what of it is wanted.
struct Request {
  std::string config, network;         // files
  std::vector<std::string> overrides;  // key.path=value
  std::string layers;                  // "A,B..C"; empty: all
  std::uint64_t seed = 1;              // of the tensors that the network does not carry
  std::string input;                   // .npy or a picture; empty: the network's, or random

  std::string checkpoint;  // of a training: its weights; empty: none

  Engine engine = Engine::fast;
  bool cross_check = false;  // on both engines, one of which only compares
  bool values = true;        // false: timing only
  bool pictures = false;    // keep the input and the outputs that no layer reads, where they are pictures, and mappings
  bool strict = false;      // nothing is left to the host's software
  bool counters = false;    // what every block counted; of the clocked engine
  bool mapping = false;     // how every layer lies on the machine
  bool verify = false;      // compare every output with the reference executor
  std::string dump_folder;  // every layer's output as .npy, and as a picture where it is one; empty: none
  std::string out;          // where the caller writes Run::output; refused early if that cannot hold it
  std::string recorded_bucket;  // the waveform begins with its first cycle and has so many; empty: all
  sim::Edge recorded_edges = 0;
  sim::Timeline* timeline = nullptr;  // told what the clocked engine does

  // Beside those of the configuration. Unless they hit values between layers alone, only the clocked engine knows them:
  // it runs if the engine is not `engine_said`.
  std::vector<contract::Fault> faults;
  bool engine_said = false;

  int frames = 0;  // back to back; 0: one, and nothing is said of more

  // Of the fast engine, for other runs of the same program (timing::EngineOptions).
  std::shared_ptr<contract::KeptValues> kept;
  contract::MemoryImage* memory_after = nullptr;

  std::function<void(double fraction)> on_progress;
  // Once the program is known and before it runs: time to refuse what cannot be written, and to give the waveform that
  // the clocked engine records, or null.
  std::function<std::unique_ptr<sim::Waveform>(const contract::Program&, const accelerators::Accelerator&)> on_program;
};

struct Shown {
  std::string name;
  network::Tensor map;
};

// What came of it.
struct Run {
  std::unique_ptr<accelerators::Accelerator> accelerator;
  std::string network_name, network_hash;
  Engine engine = Engine::fast;
  // Set: the network does not fit the accelerator's buffers, and nothing ran.
  std::optional<compile::Unschedulable> unschedulable;
  contract::Loading loading;                  // before the first layer
  std::vector<contract::LayerResult> layers;  // every layer of the program, in its order
  network::Tensor output;                     // of the last layer that ran; empty without values
  std::vector<Shown> pictures;                // if they were asked for: the input first
  std::vector<std::string> differences;       // from the reference executor, and between the engines
  bool bytes_compared = false;                // between the engines, not only counts
  Frames frames;                              // if they were asked for
  std::optional<contract::FaultLog> faults;   // if the machine has any
  network::RoundingErrors rounding;           // of kernels that round, by the reference executor

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
