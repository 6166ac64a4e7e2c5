// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "arith/requantise.h"
#include "base/effect.h"
#include "contract/axi.h"
#include "contract/config_file.h"
#include "contract/ddr.h"
#include "contract/host.h"
#include "contract/job_registers.h"
#include "contract/statistics.h"

namespace fansim::copy {

struct EngineConfig {
  int buffer_beats = 16;

  template <class V>
  void visit(V&& v) {
    v.field("buffer_beats", buffer_beats, 1, 256, {"beats that the engine holds, and copies at once", base::grows()});
  }
};

// Configures a copy engine, which reads a tensor and writes it again.
struct Config : contract::ConfigBase {
  static constexpr const char* kSystem = "copy";
  static Config read(const std::string& path, const std::vector<std::string>& overrides);

  EngineConfig engine;
  contract::AxiConfig axi;
  contract::DdrConfig ddr;
  contract::HostConfig host;
  arith::QuantiserFormat quantiser;  // the reference executor's; the engine has none

  // A burst is no longer than what the engine holds.
  contract::AxiConfig port() const {
    contract::AxiConfig port = axi;
    port.burst_beats = std::min(axi.burst_beats, engine.buffer_beats);
    return port;
  }
  contract::MemoryPorts memory_ports() const { return {1, axi.data_bits, clock_hz()}; }

  template <class F>
  void visit_clocks(F&& f) {
    f("clock_mhz", clock_mhz);
  }
  template <class F>
  void visit_blocks(F&& f) {
    f("engine", engine);
    f("axi", axi);
    f("ddr", ddr);
    f("host", host);
  }
};

// Returns what the reader of a file would refuse of the configuration; empty: nothing.
std::string refusal(const Config& config);

// The engine's registers say how many beats are copied from where to where; the fourth starts the copy.
struct Job {
  std::uint32_t source = 0, destination = 0, beats = 0;

  void advance(int burst, int beat_bytes) {
    source += static_cast<std::uint32_t>(burst * beat_bytes);
    destination += static_cast<std::uint32_t>(burst * beat_bytes);
    beats -= static_cast<std::uint32_t>(burst);
  }
};
constexpr std::size_t kRegisters = 4;
inline Job job_of(const contract::JobRegisters& registers) {
  return {registers.words[0], registers.words[1], registers.words[2]};
}

// A statistic of its own is one row, and both engines count it.
inline const contract::Counted kBursts{"bursts",
                                       "bursts",
                                       "bursts copied, each read whole before it is written",
                                       "bursts copied",
                                       contract::Aggregation::sum,
                                       {"bursts"}};

// Says where the cycles go. The last bucket has all those that the engine does not count.
inline const contract::Account& account() {
  static const contract::Account kAccount{{{"read", "cycles in which a burst was asked for and received"},
                                           {"write", "cycles in which a burst was sent and answered"},
                                           {"host", "cycles in which the engine had nothing to do", true}},
                                          {kBursts}};
  return kAccount;
}

}  // namespace fansim::copy
