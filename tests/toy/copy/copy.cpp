// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/copy.h"

#include "accelerators/configured_accelerator.h"
#include "estimate/bram.h"
#include "timing/run_program.h"
#include "toy/copy/machine.h"

namespace fansim::copy {
namespace {

// What a file may not say, beside what its fields refuse themselves.
struct Rules : contract::BlockRules {
  static contract::Problems between(const Config& config) {
    if ((config.axi.data_bits & (config.axi.data_bits - 1)) == 0) return {};
    return {{"axi", "axi: data_bits is no power of two"}};
  }
};

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
    return std::make_unique<CopyMachine>(config_, std::move(program), std::move(options));
  }
};

accelerators::RegisterTable registers() {
  return {"copy",
          "the copy engine's registers",
          {{"register", "offset"}, {"source", "0"}, {"destination", "4"}, {"beats", "8"}, {"start", "12"}}};
}

}  // namespace

Config Config::read(const std::string& path, const std::vector<std::string>& overrides) {
  return contract::load_config<Config, Rules>(path, overrides);
}

std::string refusal(const Config& config) { return contract::first_refusal<Rules>(config); }

accelerators::Kind kind() {
  return {Config::kSystem,
          "copies a tensor, burst by burst",
          accelerators::read_configured<Copy>,
          accelerators::blocks_of<Config>,
          registers,
          account};
}

}  // namespace fansim::copy
