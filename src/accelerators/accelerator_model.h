// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/layer_times.h"
#include "contract/device.h"
#include "contract/resources.h"
#include "explore/metrics.h"
#include "explore/model.h"
#include "explore/space.h"
#include "network/network.h"

namespace fansim::accelerators {

// Returns the options with which a search loads a network: without tensors.
network::LoadOptions timing_only();

// Scores the points of a space: each is a configuration of an accelerator, which is estimated and simulated.
class AcceleratorModel : public explore::Model {
 public:
  AcceleratorModel(const explore::Space& space, const std::string& network)
      : space_(space), loaded_(network::load_network(network, timing_only())) {}

  // Sets the store that keeps layers' times, and the guard that watches their simulation; both may be null.
  void keep_in(explore::Store* store, const explore::Guard* guard) { times_.keep_in(store, guard); }

  std::int64_t simulated_layers() const { return times_.simulated(); }
  const network::Network& network() const { return loaded_; }

 protected:
  const explore::Space& space_;
  mutable LayerTimes times_;

 private:
  const network::Network loaded_;
};

// Computes the metrics that follow from times and estimates, of layers that compute so many pictures at once. If `use`
// is a lower bound, so are they.
explore::Metrics metrics_of(const LayerTime& time, double clock_hz, const contract::Device& device,
                            const contract::Resources& use, double power_w, double fmax_hz, int pictures = 1);

}  // namespace fansim::accelerators
