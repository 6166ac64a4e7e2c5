// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arith/requantise.h"
#include "base/effect.h"
#include "contract/axi.h"
#include "contract/config_file.h"
#include "contract/ddr.h"
#include "contract/host.h"
#include "contract/job_registers.h"

namespace fansim::copy {

struct EngineConfig {
  int buffer_beats = 16;

  template <class V>
  void visit(V&& v) {
    v.field("buffer_beats", buffer_beats, 1, 256, {"beats that the engine holds, and copies at once", base::grows()});
  }
};

// A copy engine: reads a tensor, writes a tensor.
struct Config : contract::ConfigBase {
  static constexpr const char* kSystem = "copy";
  static Config read(const std::string& path, const std::vector<std::string>& overrides);

  EngineConfig engine;
  contract::AxiConfig axi;
  contract::DdrConfig ddr;
  contract::HostConfig host;
  arith::QuantiserFormat quantiser;  // of the reference executor; the engine has none

  // A burst is no longer than what the engine holds.
  contract::AxiConfig port() const {
    contract::AxiConfig port = axi;
    port.burst_beats = std::min(axi.burst_beats, engine.buffer_beats);
    return port;
  }

  // One port, in one direction.
  double memory_bytes_per_s() const { return port().beat_bytes() * clock_hz(); }

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

// What the reader of a file would refuse of the configuration; empty: nothing.
std::string refusal(const Config& config);

// What the engine's registers describe: beats to copy, and from where to where. The start is behind them.
struct Job {
  std::uint32_t source = 0, destination = 0, beats = 0;
};
constexpr std::size_t kRegisters = 4;
inline Job job_of(const contract::JobRegisters& registers) {
  return {registers.words[0], registers.words[1], registers.words[2]};
}

}  // namespace fansim::copy
