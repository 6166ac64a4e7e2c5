// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "accelerators/tiled/config/config.h"

namespace fansim::tiled {

// What loading takes at least on the tiled accelerator, in cycles of the fabric's clock (docs/tiled.md,
// docs/timing.md).
class Loads {
 public:
  explicit Loads(const Config& c) : config_(c), port_(c.clock_mhz.value() / c.port_mhz.value()) {}

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
  // From the edge that asks for a run to its first beat decoded, less the beat. Fabric: the reader pops, the crossing
  // takes; beat crossed, taken by the reader. Port: width converter takes and hands on, interconnect and memory grant;
  // sent, returned, geared, narrowed, crossing. A crossing takes all but one of its stages in full.
  double latency() const {
    const bool fixed = config_.ddr.fidelity == contract::DdrFidelity::fixed;
    const double stages = config_.clock_converter.sync_stages - 1;
    const double port_edges = stages + 3 + (fixed ? 2 + config_.ddr.read_latency : 0) + 4;
    return 2 + std::floor(port_edges * port_) + stages + 1;
  }
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
};

}  // namespace fansim::tiled
