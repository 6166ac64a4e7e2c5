// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cli/explore_layers.h"
#include "estimate/estimate.h"
#include "explore/model.h"
#include "explore/space.h"
#include "network/network.h"

namespace fansim::cli {

// The points of a space as configurations of one kind of accelerator, each estimated and simulated.
template <class Config>
class AcceleratorModel : public explore::Model {
 public:
  // `base` is the space's configuration with what is set for every point.
  AcceleratorModel(const explore::Space& space, Config base, const std::string& network);

  // Who keeps layers' times, and who watches them being simulated; none: nobody.
  void keep_in(explore::Store* store, const explore::Guard* guard) { times_.keep_in(store, guard); }

  explore::Outcome evaluate(const explore::Point& point) const override;

  std::int64_t simulated_layers() const { return times_.simulated(); }
  const network::Network& network() const { return loaded_; }

 protected:
  // The network in the configuration's number format.
  std::shared_ptr<const network::Network> network_of(const Config& config) const;

  const explore::Space& space_;
  const Config base_;
  mutable LayerTimes times_;
  std::vector<int> layers_;

 private:
  network::Network loaded_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const network::Network>> networks_;  // by number format
};

// What follows from times and estimate. `use` may be a lower bound of both.
explore::Metrics metrics_of(const LayerTime& time, double clock_hz, const arch::Device& device,
                            const arch::Resources& use, double power_w, double fmax_hz);

}  // namespace fansim::cli
