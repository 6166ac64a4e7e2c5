// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "arch/tiled_config.h"

namespace fansim::cli {

// What loading takes at least on the tiled accelerator, in cycles of the fabric's clock.
class Loads {
 public:
  explicit Loads(const arch::TiledConfig& c) : config_(c), port_(c.clock_mhz.value() / c.port_mhz.value()) {}

  // So many bits through a stream and the port.
  double data(double bits, int stream_bits) const {
    return bits * std::max(1.0 / stream_bits, port_ / config_.port.data_bits);
  }
  // From a burst's request to its first beat.
  double latency() const {
    return config_.ddr.fidelity == arch::DdrFidelity::fixed ? std::floor(config_.ddr.read_latency * port_) - 1 : 0;
  }
  // Loads one after another, each asked for when the one before is there. A refresh holds the bus for longer than a
  // latency can hide.
  double in_turn(double data, double loads) const {
    const double together = data + loads * latency();
    const arch::DdrConfig& d = config_.ddr;
    if (d.fidelity != arch::DdrFidelity::fixed) return together;
    const double interval = d.refresh_interval * port_, held = d.refresh_cycles * port_;
    // Any refresh within the data alone, or what of it no latency hides within both.
    const double of_data = data + std::max(0.0, data / (interval - held) - 2) * held;
    const double of_both = together + std::max(0.0, together / interval - 2) * std::max(0.0, held - latency() - 2);
    return std::max({together, of_data, of_both});
  }

 private:
  const arch::TiledConfig& config_;
  const double port_;  // cycles of a port's cycle
};

}  // namespace fansim::cli
