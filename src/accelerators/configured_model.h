// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/accelerator_model.h"
#include "accelerators/configure.h"
#include "estimate/estimate.h"

namespace fansim::accelerators {

// Scores points of an accelerator whose layers are timed one by one; each layer is timed once for all points for which
// it is the same. The namespace of a Config must define what layer_times.h and configure.h ask for, and number_format,
// prepare, timed_layers and estimate. Its kFuses are the keys that decide what is fused.
template <class Config>
class ConfiguredModel : public AcceleratorModel {
 public:
  // `base` is the space's configuration with everything that is set for all points.
  ConfiguredModel(const explore::Space& space, Config base, const std::string& network)
      : AcceleratorModel(space, network),
        base_(std::move(base)),
        plain_(is_plain<Config>(space)),
        one_fusion_(std::none_of(Config::kFuses.begin(), Config::kFuses.end(),
                                 [&](const char* key) { return varies(space, key); })) {
    layers_ = timed_layers(*network_of(base_), base_);
  }

  explore::Outcome evaluate(const explore::Point& point) const override {
    const Configured<Config> configured = configuration(point);
    if (const auto* refused = std::get_if<std::string>(&configured)) return explore::Outcome::misfit(*refused);
    const auto& config = std::get<Config>(configured);
    const estimate::Estimate cost = cost_of(config);
    if (!cost.fit.buildable) return explore::Outcome::misfit(cost.fit.reasons.back());
    const auto network = network_of(config);
    const Scheduled all = all_scheduled(config, *network, one_fusion_ ? layers_ : timed_layers(*network, config));
    if (const auto* refused = std::get_if<std::string>(&all)) return explore::Outcome::misfit(*refused);
    return {explore::Outcome::Kind::scored,
            metrics_of(std::get<LayerTime>(all), config.clock_hz(), config.device, cost.total, cost.power.total_w(),
                       cost.fmax.hz),
            ""};
  }

 protected:
  Configured<Config> configuration(const explore::Point& point) const {
    return configure(space_, base_, space_.overrides(point),
                     [](const std::string& path, const std::vector<std::string>& overrides) {
                       return Config::read(path, overrides);
                     });
  }

  // Returns the network in the configuration's number format.
  std::shared_ptr<const network::Network> network_of(const Config& config) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const network::Network>& network = networks_[number_format(config)];
    if (!network) {
      network::Network prepared = this->network();
      prepare(prepared, config, timing_only());
      network = std::make_shared<const network::Network>(std::move(prepared));
    }
    return network;
  }

  // Times the layers, each after the one before.
  virtual Scheduled all_scheduled(const Config& config, const network::Network& network,
                                  const std::vector<int>& layers) const {
    return one_by_one(layers, [&](int layer, const Gaps& gaps) { return scheduled(config, network, layer, gaps); });
  }
  template <class Time>
  static Scheduled one_by_one(const std::vector<int>& layers, Time&& time) {
    LayerTime sum;
    for (const int layer : layers) {
      Scheduled next = time(layer, sum.left);
      if (std::holds_alternative<std::string>(next)) return next;
      sum += std::get<LayerTime>(next);
    }
    return sum;
  }

  virtual Scheduled scheduled(const Config& config, const network::Network& network, int layer,
                              const Gaps& gaps) const {
    const auto program = program_of(network, layer, config);
    if (const auto* refusal = std::get_if<std::string>(&program)) return *refusal;
    return times_.time(config, std::get<contract::Program>(program), gaps);
  }

  const Config base_;
  const bool plain_;       // a point's configuration is cheap to make
  const bool one_fusion_;  // all points run the same layers; otherwise there are no bounds
  std::vector<int> layers_;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const network::Network>> networks_;  // number format -> network
};

}  // namespace fansim::accelerators
