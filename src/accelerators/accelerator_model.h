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

// A network without tensors: what a search loads.
network::LoadOptions timing_only();

// The points of a space as configurations of an accelerator, each estimated and simulated.
class AcceleratorModel : public explore::Model {
 public:
  AcceleratorModel(const explore::Space& space, const std::string& network)
      : space_(space), loaded_(network::load_network(network, timing_only())) {}

  // Who keeps layers' times, and who watches them being simulated; none: nobody.
  void keep_in(explore::Store* store, const explore::Guard* guard) { times_.keep_in(store, guard); }

  std::int64_t simulated_layers() const { return times_.simulated(); }
  const network::Network& network() const { return loaded_; }

 protected:
  const explore::Space& space_;
  mutable LayerTimes times_;

 private:
  const network::Network loaded_;
};

// What follows from times and estimate. `use` may be a lower bound of both.
explore::Metrics metrics_of(const LayerTime& time, double clock_hz, const contract::Device& device,
                            const contract::Resources& use, double power_w, double fmax_hz);

}  // namespace fansim::accelerators
