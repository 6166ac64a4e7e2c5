// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/accelerator_model.h"
#include "accelerators/training.h"
#include "arith/kernel_sums.h"
#include "arith/requantise.h"
#include "base/fields.h"
#include "compile/compile.h"
#include "contract/config_file.h"
#include "contract/ddr.h"
#include "contract/host.h"
#include "contract/host_steps.h"
#include "contract/idle_keys.h"
#include "contract/mapping.h"
#include "contract/program.h"
#include "contract/resolved.h"
#include "contract/result.h"
#include "contract/statistics.h"
#include "estimate/estimate.h"
#include "explore/space.h"
#include "network/network.h"
#include "timing/engine_options.h"

namespace fansim::platform {
class ClockedMachine;
struct MachineOptions;
}  // namespace fansim::platform

namespace fansim::accelerators {

// Holds a value of a parameter that the machine refuses when all other parameters have their first, middle or last
// values.
struct RefusedValue {
  std::string parameter, value, reason;
};

// Tells who draws the weights and biases that no file gives, and when.
enum class WeightsDrawn {
  at_load,     // the loader of the network draws all of them
  when_used,   // the loader leaves them (network::Parameters::later), and the compiler draws them where it needs them
  by_machine,  // prepare() draws them, even if they were drawn before
};

// Describes the kernels of a machine whose kernels round.
class RoundingKernels {
 public:
  virtual ~RoundingKernels() = default;
  // Returns how they sum each layer's products when `layers` (empty: all) run.
  virtual std::vector<arith::KernelSums> kernel_sums(const network::Network& network,
                                                     const std::vector<int>& layers) const = 0;
};

// Represents a configured accelerator of any kind. The subcommands, the papers and a search use accelerators only
// through this class.
class Accelerator {
 public:
  virtual ~Accelerator() = default;

  virtual const contract::ConfigBase& config() const = 0;
  virtual const contract::DdrConfig& ddr() const = 0;
  virtual const contract::HostConfig& host() const = 0;
  virtual const arith::QuantiserFormat& quantiser() const = 0;
  // Returns the width at which the engines' own sums wrap; the accumulator wraps at its own or below.
  virtual int sum_bits() const { return quantiser().accumulator_bits <= 32 ? 32 : 62; }
  virtual int macs_per_cycle() const = 0;
  // Returns the pictures that a program computes at once; its cycles, bytes and multiply-accumulates are those of all.
  virtual int pictures() const { return 1; }
  contract::Design design() const { return {config().clock_hz(), macs_per_cycle(), pictures()}; }
  // Returns the most that the ports of its memory carry, in one direction.
  virtual double memory_bytes_per_s() const = 0;
  virtual const contract::Account& account() const = 0;
  // Returns the complete configuration, with defaults.
  virtual contract::ResolvedConfig resolved() const = 0;
  // Returns every key that `--set` may name, and those of them that would change nothing here.
  virtual std::vector<std::string> keys() const = 0;
  virtual contract::IdleKeys idle_keys() const = 0;

  // Returns the codes that a network must have to be computed as it is; none: the accelerator does not compute codes.
  virtual std::optional<network::Coding> coding() const { return std::nullopt; }
  // Converts the loaded network to the accelerator's number format.
  virtual void prepare(network::Network& network, const network::LoadOptions& options) const = 0;
  virtual WeightsDrawn weights_drawn() const { return WeightsDrawn::at_load; }
  virtual compile::Compiled compile(const network::Network& network, const compile::Options& options) const = 0;
  virtual estimate::Estimate estimate() const = 0;
  // Returns how a layer of its program is mapped to the machine; none: the machine offers no choice of mappings.
  virtual std::optional<contract::Mapping> mapping(const contract::Program&, const contract::LayerSteps&) const {
    return std::nullopt;
  }

  // These return what only some machines have, or null.
  virtual const Trainer* trainer() const { return nullptr; }
  virtual const RoundingKernels* rounding_kernels() const { return nullptr; }

  // Runs the fast engine.
  virtual std::vector<contract::LayerResult> run(contract::Program program,
                                                 const timing::EngineOptions& options) const = 0;
  // Returns parameters that the runs of one program leave for each other; null: they share nothing.
  virtual std::shared_ptr<contract::KeptValues> kept_values() const { return nullptr; }
  // Creates the clocked machine. A process can elaborate only one.
  virtual std::unique_ptr<platform::ClockedMachine> machine(contract::Program program,
                                                            platform::MachineOptions options) const = 0;

  // These are for a space with this configuration. refused_values() returns the values that seem to be refused with all
  // others, and throws UserError at a value that no configuration accepts. model() returns the model that scores the
  // points.
  virtual std::vector<RefusedValue> refused_values(const explore::Space& space) const = 0;
  virtual std::unique_ptr<AcceleratorModel> model(const explore::Space& space, const std::string& network) const = 0;
};

// Returns, for kernels that round, how they sum each layer's products when `layers` (empty: all) run; empty: all sums
// are exact.
inline std::vector<arith::KernelSums> kernel_sums(const Accelerator& accelerator, const network::Network& network,
                                                  const std::vector<int>& layers = {}) {
  const RoundingKernels* kernels = accelerator.rounding_kernels();
  return kernels ? kernels->kernel_sums(network, layers) : std::vector<arith::KernelSums>();
}

// Describes one block of a configuration for `describe`.
struct Block {
  std::string key;
  std::vector<base::FieldRow> rows;
};

// Describes what the host writes to an accelerator's registers, for `describe NAME`.
struct RegisterTable {
  const char* name;                             // "command"
  const char* of;                               // "the streaming core's command"
  std::vector<std::vector<std::string>> cells;  // the first row is the head
};

// Describes a kind of accelerator.
struct Kind {
  const char* system;   // the word after `system:` in its configurations
  const char* meaning;  // one line
  std::unique_ptr<Accelerator> (*read)(const std::string& path, const std::vector<std::string>& overrides);
  std::vector<Block> (*blocks)();
  RegisterTable (*registers)();
  const contract::Account& (*account)();
  // Holds what `list NAME` shows about what the machine computes; the first row is the head. Without a name nothing is
  // listed.
  struct Listing {
    const char* name = nullptr;
    std::vector<std::vector<std::string>> (*rows)() = nullptr;
  } listing = {};
};

}  // namespace fansim::accelerators
