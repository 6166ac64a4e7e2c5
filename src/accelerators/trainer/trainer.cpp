// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/trainer.h"

#include <fmt/format.h>

#include "accelerators/configured_accelerator.h"
#include "accelerators/trainer/compile/compile.h"
#include "accelerators/trainer/compile/prepare.h"
#include "accelerators/trainer/config/account.h"
#include "accelerators/trainer/config/job.h"
#include "accelerators/trainer/estimate/estimate.h"
#include "accelerators/trainer/hardware/trainer_machine.h"
#include "accelerators/trainer/timing/trainer_timing.h"
#include "accelerators/trainer/values/chip_values.h"
#include "timing/run_program.h"

namespace fansim::trainer {
namespace {

class Trainer final : public accelerators::ConfiguredAccelerator<Config>, private accelerators::Trainer {
 public:
  using ConfiguredAccelerator::ConfiguredAccelerator;

  int macs_per_cycle() const override { return 1; }
  const contract::Account& account() const override { return trainer::account(); }

  void prepare(network::Network& network, const network::LoadOptions& options) const override {
    network::require_int8(network);
    prepare_network(network, config_, options);
  }
  compile::Compiled compile(const network::Network& network, const compile::Options& options) const override {
    return compile_network(network, config_, options);
  }
  estimate::Estimate estimate() const override { return cost_of(config_); }
  const accelerators::Trainer* trainer() const override { return this; }

  std::vector<contract::LayerResult> run(contract::Program program,
                                         const timing::EngineOptions& options) const override {
    Left left;
    JobRegisters computed;
    ChipValues chip(config_);
    return timing::run_program(
        program, options,
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
          return run_layer(config_, program, layer, progress, left);
        },
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress,
            contract::LayerResult& result) {
          const arith::FloatEvents before = chip.events();
          contract::each_job(
              program, layer, computed, [&] { chip.run(decode(computed), program.memory.data()); }, progress);
          kSaturations.set(result, chip.events().saturations - before.saturations);
          kUnderflows.set(result, chip.events().underflows - before.underflows);
        });
  }
  std::unique_ptr<platform::ClockedMachine> machine(contract::Program program,
                                                    platform::MachineOptions options) const override {
    return std::make_unique<TrainerMachine>(config_, std::move(program), std::move(options));
  }

 private:
  accelerators::CompiledBatch compile_batch(const network::Network& network,
                                            const accelerators::Batch& batch) const override {
    return compile_images(network, config_, batch);
  }
  std::string design() const override { return design_text(config_); }
  double learning_rate() const override { return config_.update.learning_rate; }
};

accelerators::RegisterTable registers() {
  std::vector<std::vector<std::string>> cells{{"register", "offset", "meaning"}};
  const auto word = [&cells](const std::string& name, const std::string& meaning) {
    cells.push_back({name, std::to_string(4 * (cells.size() - 1)), meaning});
  };
  word("source", "address of the image, or of the weights to load");
  word("destination", "address of the result, or of the weights to store");
  word("label", "which of the last layer's outputs should be one");
  word("learning_rate", "eta, a word of single precision");
  word("layers", "1..8: layers of the network");
  for (std::size_t i = 0; i < kMostLayers; ++i) {
    word(
        fmt::format("layer{}_kind", i),
        "2..0: 0 convolution, 1 pooling, 2 fully connected, 3 softmax; 3: ReLU; 7..4 kernel, 11..8 stride, 15..12 rows "
        "above, 19..16 columns to the left");
    word(fmt::format("layer{}_channels", i), "31..16: of the output, 15..0: of the input");
    word(fmt::format("layer{}_input", i), "31..16: rows, 15..0: columns");
    word(fmt::format("layer{}_output", i), "31..16: rows, 15..0: columns");
  }
  word("command", "0 load weights, 1 store weights, 2 infer, 3 train; a write starts the job");
  return {"job", "the trainer's", std::move(cells)};
}

}  // namespace

accelerators::Kind kind() {
  return {Config::kSystem,
          "convolutional networks that learn, in floating point of any width",
          accelerators::read_configured<Trainer>,
          accelerators::blocks_of<Config>,
          registers,
          account};
}

}  // namespace fansim::trainer
