// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/copy.h"

#include "accelerators/configured_accelerator.h"
#include "estimate/bram.h"
#include "timing/run_program.h"
#include "toy/copy/account.h"
#include "toy/copy/compile.h"
#include "toy/copy/machine.h"
#include "toy/copy/timing.h"

namespace fansim::copy {
namespace {

class Copy final : public accelerators::ConfiguredAccelerator<Config> {
 public:
  using ConfiguredAccelerator::ConfiguredAccelerator;

  int macs_per_cycle() const override { return 1; }
  const contract::Account& account() const override { return copy::account(); }

  compile::Compiled compile(const network::Network& network, const compile::Options& options) const override {
    return compile_network(network, config_, options);
  }
  estimate::Estimate estimate() const override {
    const int bits = config_.axi.data_bits;
    return estimate::estimate_of({{"engine", {0, bits, 2 * bits, estimate::bram36(bits, config_.engine.buffer_beats)}}},
                                 config_.device, config_.clock_hz());
  }

  std::vector<contract::LayerResult> run(contract::Program program,
                                         const timing::EngineOptions& options) const override {
    return timing::run_program(
        program, options,
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback&) {
          return run_layer(config_, program, layer);
        },
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback&, contract::LayerResult&) {
          copy_layer(config_, program, layer);
        });
  }
  std::unique_ptr<platform::ClockedMachine> machine(contract::Program program,
                                                    platform::MachineOptions options) const override {
    return std::make_unique<Machine>(config_, std::move(program), std::move(options));
  }
};

std::unique_ptr<accelerators::Accelerator> read(const std::string& path, const std::vector<std::string>& overrides) {
  return std::make_unique<Copy>(Config::read(path, overrides));
}

accelerators::RegisterTable registers() {
  return {"copy",
          "the copy engine's registers",
          {{"register", "offset"}, {"source", "0"}, {"destination", "4"}, {"beats", "8"}, {"start", "12"}}};
}

}  // namespace

accelerators::Kind kind() {
  return {Config::kSystem, "copies a tensor, burst by burst", read, accelerators::blocks_of<Config>, registers,
          account};
}

}  // namespace fansim::copy
