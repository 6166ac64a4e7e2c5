// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/accelerator_model.h"
#include "accelerators/batch.h"
#include "arith/formats/kernel_sums.h"
#include "arith/requantise.h"
#include "base/fields.h"
#include "compile/compile.h"
#include "contract/config_file.h"
#include "contract/ddr.h"
#include "contract/host.h"
#include "contract/host_steps.h"
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

// A value of a parameter that the machine refuses, whether the others have their first, middle or last values.
struct RefusedValue {
  std::string parameter, value, reason;
};

// A configured accelerator, whatever its kind: what the subcommands, the papers and a search do with it.
class Accelerator {
 public:
  virtual ~Accelerator() = default;

  virtual const contract::ConfigBase& config() const = 0;
  virtual const contract::DdrConfig& ddr() const = 0;
  virtual const contract::HostConfig& host() const = 0;
  virtual const arith::QuantiserFormat& quantiser() const = 0;
  virtual int macs_per_cycle() const = 0;
  // What the ports of its memory carry at most, in one direction.
  virtual double memory_bytes_per_s() const = 0;
  virtual const contract::Account& account() const = 0;
  // All that it was made of.
  virtual contract::ResolvedConfig resolved() const = 0;
  // Every key that `--set` may name.
  virtual std::vector<std::string> keys() const = 0;

  // The codes of networks that it computes as they are, if it computes codes.
  virtual std::optional<network::Coding> coding() const { return std::nullopt; }
  // Brings the loaded network into the accelerator's number format.
  virtual void prepare(network::Network& network, const network::LoadOptions& options) const = 0;
  // Whether that draws what no file brought of weights and biases, whatever was drawn before.
  virtual bool draws_weights() const { return false; }
  // Whether its compiler takes weights that are drawn when they are needed (network::Layer::later).
  virtual bool draws_weights_later() const { return false; }
  virtual compile::Compiled compile(const network::Network& network, const compile::Options& options) const = 0;
  // A program that takes a batch of images through the network, whose weights the batch brings.
  virtual CompiledBatch compile_batch(const network::Network& network, const Batch& batch) const;
  // The arithmetic in words, where weights are trained in it: those of one design are none of another's.
  virtual std::string design() const { return ""; }
  virtual double learning_rate() const { return 0; }
  // How it sums each layer's products in kernels that round, if `layers` (empty: all) run; none where sums are exact.
  virtual std::vector<arith::KernelSums> kernel_sums(const network::Network&, const std::vector<int>&) const {
    return {};
  }
  virtual estimate::Estimate estimate() const = 0;
  // How a layer of its program lies on it; UserError if the machine has no choice to tell of.
  virtual contract::Mapping mapping(const contract::Program& program, const contract::LayerSteps& steps) const;

  // The fast engine.
  virtual std::vector<contract::LayerResult> run(contract::Program program,
                                                 const timing::EngineOptions& options) const = 0;
  // For the runs of one program, parameters that it left among it; null: they have nothing to share.
  virtual std::shared_ptr<contract::KeptValues> kept_values() const { return nullptr; }
  // The clocked one, which can be elaborated once per process.
  virtual std::unique_ptr<platform::ClockedMachine> machine(contract::Program program,
                                                            platform::MachineOptions options) const = 0;

  // Of a space whose configuration this is: the values that seem to be refused; UserError at one that no
  // configuration takes. And its points.
  virtual std::vector<RefusedValue> refused_values(const explore::Space& space) const = 0;
  virtual std::unique_ptr<AcceleratorModel> model(const explore::Space& space, const std::string& network) const = 0;
};

// One block of a configuration as `describe` shows it.
struct Block {
  std::string key;
  std::vector<base::FieldRow> rows;
};

// What the host writes to an accelerator's registers, as `describe NAME` shows it.
struct RegisterTable {
  const char* name;                             // "command"
  const char* of;                               // "the streaming core's command"
  std::vector<std::vector<std::string>> cells;  // the first row is the head
};

// A kind of accelerator.
struct Kind {
  const char* system;   // the word behind `system:` in its configurations
  const char* meaning;  // in a line
  std::unique_ptr<Accelerator> (*read)(const std::string& path, const std::vector<std::string>& overrides);
  std::vector<Block> (*blocks)();
  RegisterTable (*registers)();
  const contract::Account& (*account)();
  // What `list NAME` shows of what it computes, the first row its head; none: nothing is listed.
  struct Listing {
    const char* name = nullptr;
    std::vector<std::vector<std::string>> (*rows)() = nullptr;
  } listing = {};
};

}  // namespace fansim::accelerators
