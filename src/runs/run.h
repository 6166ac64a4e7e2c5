// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "compile/compile.h"
#include "contract/faults.h"
#include "contract/host.h"
#include "contract/result.h"
#include "network/network.h"
#include "network/reference/reference.h"
#include "runs/frames.h"
#include "runs/request.h"

namespace fansim::runs {

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

// Loads, prepares, simulates, judges and shows. The clocked engine can be elaborated once per process. Throws
// base::UserError, base::Interrupted.
Run run(const Request& request);

// Does what follows loading, for a network that load_given() returned and that the accelerator has prepared. Callers
// with more than one input bring in each of them between the two.
Run run_loaded(const Request& request, std::unique_ptr<accelerators::Accelerator> accelerator,
               const network::Network& network);

}  // namespace fansim::runs
