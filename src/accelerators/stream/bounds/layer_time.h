// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "accelerators/layer_key.h"
#include "accelerators/stream/compile/known_cut.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/left_out.h"
#include "accelerators/stream/script/script.h"
#include "accelerators/stream/timing/known.h"
#include "contract/program.h"
#include "contract/result.h"
#include "network/network.h"

// The fast engine as a search calls it: one layer at a time, timing only.
namespace fansim::stream {

// The layers that run by themselves: not flattened tensors, not what others are fused into. A concatenation that
// the configuration makes a placement runs in no time.
std::vector<int> timed_layers(const network::Network& network, const Config& config);

// Whether gaps may reach into the next layer. The host's work before its first transfer covers those that do not.
bool gaps_reach(const Config& config);

// A digest of a script.
std::string steps_of(const Script& script);

// A digest of all that the program of a layer, and the least that it takes, depend on; and of that, as bytes, what is
// left once it is known how the layer is cut into jobs.
std::string program_key(const Config& config);
std::string cut_key(const Config& config);

// Everything that the layer's timing depends on, as bytes: two layers with the same key take the same cycles, move the
// same bytes and leave the same gaps. `program` is of one layer; `steps` are steps_of its script.
// `machine` is the configuration's part, `slots` are SlotsThatCount.
std::string machine_key(const Config& config);
std::string timing_key(const std::string& machine, int slots, const std::string& steps, const accelerators::Gaps& gaps);
std::string timing_key(const Config& config, const contract::Program& program, const accelerators::Gaps& gaps);

// All of the array that the time of a job depends on, as bytes.
std::string array_key(const ArrayConfig& array);
// A digest of all of the port, the DMA and the memory that what comes of a tile's transfer depends on.
std::string transfers_key(const Config& config);

// What its layer's time needs of a program.
struct TimedProgram {
  std::string layer;
  std::int64_t macs = 0;
  bool has_steps = false;  // not of a concatenation by placement
  Script script;
};
TimedProgram timed_program(const contract::Program& program, const Config& config, const LeftOuts& left_out = {});
// Of a layer, of which no more is compiled than its time needs (compile_network); or why it cannot be scheduled.
std::variant<TimedProgram, std::string> timed_program(const network::Network& network, int layer, const Config& config,
                                                      const KnownCut& known = {});
inline const std::string& layer_name(const TimedProgram& program) { return program.layer; }

// `gaps`: those at its begin, then those it leaves. `known`: what is known, then more.
contract::LayerResult time_layer(const Config& config, const TimedProgram& program, accelerators::Gaps& gaps,
                                 Known& known);
contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps);

}  // namespace fansim::stream
