// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/timing/load_latency.h"

namespace fansim::tiled {

// What loading takes at least on the tiled accelerator, in cycles of the fabric's clock (docs/tiled.md,
// docs/timing.md).
class Loads {
 public:
  explicit Loads(const Config& c)
      : config_(c),
        port_(c.clock_mhz.value() / c.port_mhz.value()),
        latency_(static_cast<double>(least_load_latency(c))) {}

  // So many bits through a stream and the port.
  double data(double bits, int stream_bits) const {
    return bits * std::max(1.0 / stream_bits, port_ / config_.port.data_bits);
  }
  // Runs of so many beats each, with the gap behind every burst but the last.
  double runs(double runs, double beats, int beat_bits, int burst_beats) const {
    const double with_gaps = beats + config_.load.gap * std::ceil(beats / burst_beats);
    const double stream = runs * std::max(data(beats * beat_bits, beat_bits), with_gaps) - config_.load.gap;
    // Two edges after the third before it has been decoded a run can be asked for.
    const double asked = std::floor((runs - 1) / 3) * (2 + latency() + beats) + data(beats * beat_bits, beat_bits);
    return std::max(stream, asked);
  }
  double latency() const { return latency_; }
  // The turn passes from one stream to the other.
  static constexpr double kTurn = 2;
  // The part of data() that the port's bus is busy.
  double bus(double bits) const { return bits * port_ / config_.port.data_bits; }
  // Loads one after another, each asked for when the one before is there. `data` cycles of data() in all, of which the
  // bus is busy for `bus`. A refresh holds the bus, for longer than a latency can hide.
  double in_turn(double data, double bus, double loads) const {
    const double together = data + loads * latency();
    const contract::DdrConfig& d = config_.ddr;
    if (d.fidelity != contract::DdrFidelity::fixed) return together;
    const double interval = d.refresh_interval * port_, held = d.refresh_cycles * port_;
    const double busy = bus + std::max(0.0, bus / (interval - held) - 2) * held;
    // Where data leave the bus no time either, what of a refresh no latency hides.
    const double hidden = bus < data ? held : latency() + 2;
    const double visible = std::max(0.0, together / interval - 2) * std::max(0.0, held - hidden);
    return std::max(together + visible, busy);
  }

 private:
  const Config& config_;
  const double port_;  // cycles of a port's cycle
  const double latency_;
};

}  // namespace fansim::tiled
