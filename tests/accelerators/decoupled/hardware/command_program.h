// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerators/decoupled/config/command.h"
#include "accelerators/decoupled/config/config.h"
#include "contract/program.h"
#include "contract/result.h"

namespace fansim::test {

// Layers of commands for a machine, made by hand or at random, in place of a compiler's.
struct CommandProgram {
  decoupled::Config config;
  std::vector<std::shared_ptr<decoupled::DecoupledLayer>> layers;
  std::vector<std::uint8_t> memory;

  // The host starts the jobs of each layer, one after the other.
  contract::Program program() const;
};

struct EngineRun {
  std::vector<contract::LayerResult> layers;
  std::vector<std::uint8_t> memory;  // at the end
  std::string error;                 // why it did not end
};

// Runs the clocked engine, which is possible once in a process.
EngineRun run_clocked(const decoupled::Config& config, contract::Program program);
inline EngineRun run_clocked(const CommandProgram& of) { return run_clocked(of.config, of.program()); }
// Runs the fast engine without memory.
EngineRun run_fast(const decoupled::Config& config, const contract::Program& program);
inline EngineRun run_fast(const CommandProgram& of) { return run_fast(of.config, of.program()); }
// Returns what the commands leave in memory if each is executed after the one before.
std::vector<std::uint8_t> run_serially(const CommandProgram& program);

// Returns how the engines' layers differ, and whether a layer's buckets add up; empty: they agree.
std::string difference(const EngineRun& clocked, const EngineRun& fast);

}  // namespace fansim::test
