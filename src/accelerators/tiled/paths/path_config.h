// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "accelerators/tiled/paths/clocks.h"
#include "contract/axi.h"
#include "rules/fixed_ddr.h"

namespace fansim::tiled {

// What a manager's address channel, its data and its responses have in common on their way to the memory's port.
struct PathConfig {
  PathConfig(const Config& c, int manager_bits, int burst_beats, int outstanding_bursts)
      : clocks(c),
        depth(c.clock_converter.depth),
        manager_bytes(manager_bits / 8),
        port_bytes(c.port.beat_bytes()),
        port_outstanding(c.port.outstanding),
        longest(c.port.burst_beats),
        outstanding(outstanding_bursts),
        write_latency(rules::known_write_latency(c.ddr)) {
    axi.data_bits = manager_bits;
    axi.burst_beats = burst_beats;
  }

  TiledClocks clocks;
  int depth;
  int manager_bytes, port_bytes;
  int port_outstanding;
  int longest;  // beats of a burst on the port
  int outstanding;
  std::optional<int> write_latency;  // rules::known_write_latency()
  contract::AxiConfig axi;

  // A memory of constants: it need not know where a burst is or tell of responses, and may be asked while it tells.
  bool direct() const { return write_latency.has_value(); }
  // The manager, with a beat per edge, takes at least what the port brings, and the places of a crossing that no beat
  // waits for come back before they are needed.
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

}  // namespace fansim::tiled
