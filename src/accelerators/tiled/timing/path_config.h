// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "accelerators/tiled/config/config.h"
#include "contract/axi.h"
#include "rules/fixed_ddr.h"
#include "timing/two_clocks.h"

namespace fansim::tiled {

// The configuration of a manager's path to the memory's port, for addresses, data and responses alike.
struct PathConfig {
  PathConfig(const Config& c, int manager_bits, int burst_beats, int outstanding_bursts)
      : clocks(c.clock_mhz, c.port_mhz, c.clock_converter.sync_stages),
        depth(c.clock_converter.depth),
        manager_bytes(manager_bits / 8),
        port_bytes(c.port.beat_bytes()),
        port_outstanding(c.port.outstanding),
        longest(c.port.burst_beats),
        outstanding(outstanding_bursts),
        write_latency(rules::constant_write_latency(c.ddr)) {
    axi.data_bits = manager_bits;
    axi.burst_beats = burst_beats;
  }

  timing::TwoClocks clocks;
  int depth;
  int manager_bytes, port_bytes;
  int port_outstanding;
  int longest;  // beats of a burst on the port
  int outstanding;
  std::optional<int> write_latency;  // rules::constant_write_latency()
  contract::AxiConfig axi;
  bool closed_forms = false;  // beats that nothing obstructs are taken many at once

  // The memory has constant latencies: it needs no addresses, need not tell of responses, and may be asked while it
  // tells.
  bool direct() const { return write_latency.has_value(); }
  // Whether the manager, with a beat per edge, takes at least what the port brings, and the places of a crossing that
  // no beat waits for come back before they are needed.
  bool outruns() const {
    const timing::Edge ratio = manager_bytes / port_bytes;
    return ratio > 0 && clocks.to_fabric.floor(ratio) > 0 &&
           ratio * depth >= clocks.to_port.ceil(clocks.stages) + clocks.stages;
  }
  bool up() const { return port_bytes > manager_bytes; }
  // Where in a beat of the port an address lies.
  int lane(std::uint32_t address) const {
    return static_cast<int>(address & static_cast<std::uint32_t>(port_bytes - 1));
  }
  // Beats of the port that hold a burst of the manager that begins at a lane.
  int port_beats(int lane, int beats) const { return (lane + beats * manager_bytes + port_bytes - 1) / port_bytes; }
  int parts(int lane, int beats) const { return (port_beats(lane, beats) + longest - 1) / longest; }
};

// A machine's paths.
struct PathConfigs {
  explicit PathConfigs(const Config& c)
      : inputs(c, c.load.input_bits, c.load.input_burst_beats, c.load.outstanding),
        weights(c, c.load.weight_bits, c.load.weight_burst_beats, c.load.outstanding),
        outputs(c, c.store.bits, c.store.burst_beats, c.store.outstanding) {}

  PathConfig inputs, weights, outputs;
};

}  // namespace fansim::tiled
