// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/stream.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "accelerators/configured_accelerator.h"
#include "accelerators/stream/bounds/stream_model.h"
#include "accelerators/stream/compile/compile.h"
#include "accelerators/stream/compile/prepare.h"
#include "accelerators/stream/config/account.h"
#include "accelerators/stream/config/command.h"
#include "accelerators/stream/estimate/estimate.h"
#include "accelerators/stream/hardware/stream_accelerator.h"
#include "accelerators/stream/mapping.h"
#include "accelerators/stream/replay/stream_engine.h"
#include "accelerators/stream/values/stream_values.h"
#include "timing/gap.h"
#include "timing/layers_ahead.h"
#include "timing/parameters_ahead.h"
#include "timing/run_program.h"

namespace fansim::stream {
namespace {

// Holds what several runs of a program's values share.
class Kept : public PackedSetCache {
 public:
  Kept() : PackedSetCache(true) {}

  std::shared_ptr<timing::SharedParameters> parameters(const contract::Program& program) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!parameters_ && contract::parameters_are_left(program.layers))
      parameters_ = std::make_shared<timing::SharedParameters>(program);
    return parameters_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<timing::SharedParameters> parameters_;
};

class Stream final : public accelerators::ConfiguredAccelerator<Config>, private accelerators::RoundingKernels {
 public:
  using ConfiguredAccelerator::ConfiguredAccelerator;

  int macs_per_cycle() const override { return config_.array.macs_per_cycle(); }

  const contract::Account& account() const override { return stream::account(); }

  std::optional<network::Coding> coding() const override {
    return network::Coding{"dorefa", config_.array.weight_bits(), config_.array.operand_bits, ""};
  }
  void prepare(network::Network& network, const network::LoadOptions& options) const override {
    stream::prepare(network, config_, options);
  }

  accelerators::WeightsDrawn weights_drawn() const override {
    return config_.array.wide() ? accelerators::WeightsDrawn::at_load : accelerators::WeightsDrawn::when_used;
  }
  compile::Compiled compile(const network::Network& network, const compile::Options& options) const override {
    return stream::compile_network(network, config_, options);
  }
  const accelerators::RoundingKernels* rounding_kernels() const override { return this; }
  estimate::Estimate estimate() const override { return stream::cost_of(config_); }
  std::optional<contract::Mapping> mapping(const contract::Program& program,
                                           const contract::LayerSteps& steps) const override {
    return stream::mapping_of(config_, program, steps);
  }

  std::vector<contract::LayerResult> run(contract::Program program, const timing::EngineOptions& given) const override {
    timing::EngineOptions options = given;
    if (auto* kept = dynamic_cast<Kept*>(options.kept.get()); kept && options.values)
      options.parameters = kept->parameters(program);
    const std::uint8_t* parameters = options.parameters ? options.parameters->memory() : nullptr;
    std::optional<StreamValues> values;
    if (options.values) values.emplace(config_, program.memory, parameters, options.kept);
    using Ahead = timing::LayersAhead<timing::Edge>;  // before that edge it pushes no burst
    Ahead ahead(
        program, options.timing, timing::kLongAgo,
        [&](const contract::LayerSteps& layer, timing::Edge gap_until, const contract::ProgressCallback& progress) {
          contract::LayerResult result = run_stream_layer(config_, program, layer, gap_until, options.replay, progress);
          return Ahead::Timed{std::move(result), gap_until};
        });
    timing::Edge gap_until = timing::kLongAgo;
    return timing::run_program(
        program, options,
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
          gap_until -= layer.waited;
          Ahead::Timed timed = ahead.next(layer, gap_until, timing::delays(gap_until, config_.host), progress);
          gap_until = timed.left;
          return std::move(timed.result);
        },
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress,
            contract::LayerResult& result) {
          contract::follow(program, layer, *values, progress);
          result.saturation = values->take_saturation();
        });
  }

  std::shared_ptr<contract::KeptValues> kept_values() const override { return std::make_shared<Kept>(); }

  std::unique_ptr<platform::ClockedMachine> machine(contract::Program program,
                                                    platform::MachineOptions options) const override {
    return std::make_unique<StreamMachine>(config_, std::move(program), std::move(options));
  }

  std::unique_ptr<accelerators::AcceleratorModel> model(const explore::Space& space,
                                                        const std::string& network) const override {
    return std::make_unique<StreamModel>(space, config_, network);
  }

 private:
  std::vector<arith::KernelSums> kernel_sums(const network::Network& network,
                                             const std::vector<int>& layers) const override {
    return stream::kernel_sums(network, config_, layers);
  }
};

struct CommandCells {
  std::vector<std::vector<std::string>> cells{{"field", "register", "word", "bits", "meaning"}};
  void bits(const char* name, int, int reg, int word, int low, int bits, const char* doc) {
    cells.push_back({name, std::to_string(reg), reg == 3 ? std::to_string(word) : "-",
                     bits == 1 ? std::to_string(low) : fmt::format("{}..{}", low + bits - 1, low), doc});
  }
  void address(const char* name, std::uint32_t, int reg, const char* doc) {
    cells.push_back({name, std::to_string(reg), "-", "31..0", doc});
  }
};

accelerators::RegisterTable registers() {
  CommandCells visitor;
  Command().visit(visitor);
  return {"command", "the streaming core's command", std::move(visitor.cells)};
}

}  // namespace

accelerators::Kind kind() {
  return {Config::kSystem,
          "windows over line buffers, a command per job, an AXI DMA that the host programs",
          accelerators::read_configured<Stream>,
          accelerators::blocks_of<Config>,
          registers,
          account};
}

}  // namespace fansim::stream
