// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/vision.h"

#include "accelerators/configured_accelerator.h"
#include "accelerators/vision/bounds/vision_model.h"
#include "accelerators/vision/compile/compile.h"
#include "accelerators/vision/config/account.h"
#include "accelerators/vision/config/job.h"
#include "accelerators/vision/estimate/estimate.h"
#include "accelerators/vision/function_table.h"
#include "accelerators/vision/hardware/vision_machine.h"
#include "accelerators/vision/mapping.h"
#include "accelerators/vision/timing/vision_timing.h"
#include "accelerators/vision/values/vision_values.h"
#include "base/data.h"
#include "timing/run_program.h"

namespace fansim::vision {
namespace {

class Vision final : public accelerators::ConfiguredAccelerator<Config> {
 public:
  using ConfiguredAccelerator::ConfiguredAccelerator;

  int macs_per_cycle() const override { return config_.macs_per_cycle(); }
  const contract::Account& account() const override { return vision::account(); }

  compile::Compiled compile(const network::Network& network, const compile::Options& options) const override {
    return compile_network(network, config_, options);
  }
  estimate::Estimate estimate() const override { return cost_of(config_); }
  std::optional<contract::Mapping> mapping(const contract::Program& program,
                                           const contract::LayerSteps& steps) const override {
    return vision::mapping_of(config_, program, steps);
  }

  std::vector<contract::LayerResult> run(contract::Program program,
                                         const timing::EngineOptions& options) const override {
    return timing::run_program(
        program, options,
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
          return run_layer(config_, program, layer, progress, options.replay);
        },
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress, contract::LayerResult&) {
          compute_layer(program, layer, progress);
        });
  }
  std::unique_ptr<accelerators::AcceleratorModel> model(const explore::Space& space,
                                                        const std::string& network) const override {
    return std::make_unique<VisionModel>(space, config_, network);
  }
  std::unique_ptr<platform::ClockedMachine> machine(contract::Program program,
                                                    platform::MachineOptions options) const override {
    return std::make_unique<VisionMachine>(config_, std::move(program), std::move(options));
  }
};

struct Cells {
  std::vector<std::vector<std::string>> cells{{"register", "offset", "meaning"}};
  template <class T>
  void word(const char* name, const T&, const char* meaning) {
    cells.push_back({name, std::to_string(4 * (cells.size() - 1)), meaning});
  }
};

std::vector<std::vector<std::string>> listing() {
  return function_table(Config::read(base::data_path("configs/systems/vision_zcu102.yaml"), {}));
}

accelerators::RegisterTable registers() {
  Cells visitor;
  const Job job;
  Job::visit(job, visitor);
  visitor.word("weights", 0, "the filters' coefficients, four in a word, 49 for each of two filters");
  visitor.cells.push_back({"start", std::to_string(JobRegisters().start_offset()), "a write starts the job"});
  return {"job", "the vision accelerator's", std::move(visitor.cells)};
}

}  // namespace

accelerators::Kind kind() {
  return {Config::kSystem,
          "filters, medians and functions of single pixels of images, packed INT8 and SIMD slices",
          accelerators::read_configured<Vision>,
          accelerators::blocks_of<Config>,
          registers,
          account,
          {"vision", listing}};
}

}  // namespace fansim::vision
