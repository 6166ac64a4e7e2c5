// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/timing/load_latency.h"
#include "rules/pace.h"

namespace fansim::tiled {

// Computes lower bounds of the cycles that loading takes on the tiled accelerator, in cycles of the fabric's clock
// (docs/tiled.md, docs/timing.md).
class Loads {
 public:
  explicit Loads(const Config& c)
      : config_(c),
        port_(c.clock_mhz.value() / c.port_mhz.value()),
        latency_(static_cast<double>(least_load_latency(c))) {}

  // Returns the cycles of transferring `bits` bits through a stream and the port.
  double data(double bits, int stream_bits) const {
    return bits * std::max(1.0 / stream_bits, port_ / config_.port.data_bits);
  }
  // Returns the cycles of runs of `beats` beats each, with the gap after every burst but the last.
  double runs(double runs, double beats, int beat_bits, int burst_beats) const {
    const double with_gaps = beats + config_.load.gap * std::ceil(beats / burst_beats);
    const double stream = runs * std::max(data(beats * beat_bits, beat_bits), with_gaps) - config_.load.gap;
    // A run can be requested two edges after the third run before it has been decoded.
    const double asked = std::floor((runs - 1) / 3) * (2 + latency() + beats) + data(beats * beat_bits, beat_bits);
    return std::max(stream, asked);
  }
  double latency() const { return latency_; }
  // Cycles in which the turn passes from one stream to the other.
  static constexpr double kTurn = 2;
  // Returns the part of data() in which the port's bus is busy.
  double bus(double bits) const { return bits * port_ / config_.port.data_bits; }
  // Returns the cycles of loads one after another, each requested when the one before has arrived. `data` is their
  // data() in total; the bus is busy for `bus` cycles of it. A refresh holds the bus longer than a load's latency can
  // hide. A paced bus may hide it between bursts.
  double in_turn(double data, double bus, double loads) const {
    const double together = data + loads * latency();
    const contract::DdrConfig& d = config_.ddr;
    if (d.fidelity != contract::DdrFidelity::fixed) return together;
    const rules::Pace pace = rules::pace_of(d, config_.port.data_bits);
    const double interval = d.refresh_interval * port_, held = d.refresh_cycles * port_;
    const double paced = bus * static_cast<double>(pace.edges) / static_cast<double>(pace.beats) - port_;
    if (!pace.whole()) return std::max(together, paced);
    const double busy = bus + std::max(0.0, bus / (interval - held) - 2) * held;
    // If the data leave the bus no idle time, only the part of a refresh beyond the latency delays them.
    const double hidden = bus < data ? held : latency() + 2;
    const double visible = std::max(0.0, together / interval - 2) * std::max(0.0, held - hidden);
    return std::max(together + visible, busy);
  }

 private:
  const Config& config_;
  const double port_;  // port period in cycles of the fabric's clock
  const double latency_;
};

}  // namespace fansim::tiled
