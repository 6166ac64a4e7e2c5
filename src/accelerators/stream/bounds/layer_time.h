// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "accelerators/layer_key.h"
#include "accelerators/stream/compile/cut_cache.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/left_out.h"
#include "accelerators/stream/replay/tables.h"
#include "accelerators/stream/timing/host_trace.h"
#include "contract/program.h"
#include "contract/result.h"
#include "network/network.h"

// This file runs the fast engine for a search: one layer at a time, without values.
namespace fansim::stream {

// Returns the layers that run by themselves. Flattened tensors and layers that are fused into others do not; a
// concatenation that is a placement in this configuration takes no time.
std::vector<int> timed_layers(const network::Network& network, const Config& config);

// Returns whether gaps may extend into the next layer. They do not if the host's work before the layer's first transfer
// covers them.
bool gaps_reach(const Config& config);

// Returns a digest of a trace.
std::string steps_of(const HostTrace& trace);

// program_key() returns a digest of everything on which a layer's program and the lower bound of its cycles depend.
// cut_key() returns, as bytes, the part of it that still matters once it is known how the layer is cut into jobs.
std::string program_key(const Config& config);
std::string cut_key(const Config& config);

// Return, as bytes, everything on which a layer's timing depends: two layers with the same key take the same number of
// cycles, move the same number of bytes and leave the same gaps. `steps` is steps_of() the trace of its one-layer
// program, `machine` is the configuration's part, and `slots` are SlotsThatCount.
std::string machine_key(const Config& config);
std::string timing_key(const std::string& machine, int slots, const std::string& steps, const accelerators::Gaps& gaps);
std::string timing_key(const Config& config, const contract::Program& program, const accelerators::Gaps& gaps);

// Returns, as bytes, everything about the array on which the time of a job depends.
std::string array_key(const ArrayConfig& array);
// Returns a digest of everything about the port, the DMA and the memory on which the result of a tile's transfer
// depends.
std::string transfers_key(const Config& config);

// Holds what a program contributes to the time of its layer.
struct TimedProgram {
  std::string layer;
  std::int64_t macs = 0;
  bool has_steps = false;  // false for a concatenation by placement
  HostTrace trace;
};
TimedProgram timed_program(const contract::Program& program, const Config& config, const LeftOuts& left_out = {});
// Compiles a layer only as far as its time requires (compile_network). Returns the reason if it cannot be scheduled.
std::variant<TimedProgram, std::string> timed_program(const network::Network& network, int layer, const Config& config,
                                                      const CutCache& known = {});
inline const std::string& layer_name(const TimedProgram& program) { return program.layer; }

// `gaps` are those at the begin of the layer, and become those that it leaves. `tables` hold what such calls have seen,
// and receive what is new.
contract::LayerResult time_layer(const Config& config, const TimedProgram& program, accelerators::Gaps& gaps,
                                 ReplayTables& tables);
contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps);

}  // namespace fansim::stream
