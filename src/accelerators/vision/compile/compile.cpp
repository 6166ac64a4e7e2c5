// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/compile/compile.h"

#include <fmt/format.h>

#include <map>

#include "accelerators/vision/compile/host_functions.h"
#include "accelerators/vision/compile/paths.h"
#include "accelerators/vision/compile/stage_jobs.h"
#include "accelerators/vision/config/layer.h"
#include "compile/layer_walk.h"
#include "contract/job_steps.h"
#include "openvx/stage.h"

namespace fansim::vision {
namespace {

using compile::Misfit;
using network::Layer;

class Compiler final : public compile::LayerWalk {
 public:
  Compiler(const network::Network& network, const Config& config, const compile::Fusion& fusion,
           const compile::Options& options)
      : LayerWalk(network, fusion, config.ddr, options), config_(config), fusion_(fusion), steps_(config.host) {}

 private:
  bool takes_pipelines() const override { return true; }

  std::optional<Misfit> place(int producer, const network::Tensor* values) override {
    const bool input = producer == Layer::kInput;
    StoredImage image =
        StoredImage::of(input ? network_.input.shape : at(producer).out,
                        input ? network_.input.format : at(producer).out_format, config_.row_multiple());
    image.address = memory_.reserve(image.bytes(), [values, image](std::uint8_t* object) {
      if (values) image.fill(object, *values);
    });
    images_[producer] = image;
    return std::nullopt;
  }

  std::optional<Misfit> compile(int index, int number, contract::LayerPlan& plan) override {
    const Layer& layer = at(index);
    const int stored = plan.fused_into < 0 ? index : plan.fused_into;
    if (plan.fused_into < 0) plan.output = std::make_shared<const StoredImage>(images_.at(index));
    if (fusion_.is_fused(index)) return std::nullopt;  // the path's first stage has its steps
    Path path{{&layer}, images_.at(layer.source), {}, images_.at(stored)};
    if (openvx::facts(layer.vision()->function).two_inputs) path.second = images_.at(layer.with);
    for (int next = fusion_.next(index); next >= 0; next = fusion_.next(next)) {
      path.stages.push_back(&at(next));
      plan.macs += at(next).macs();
    }
    steps_.begin_layer(number);
    auto machine = std::make_shared<VisionLayer>();
    if (openvx::facts(layer.vision()->function).unit == openvx::Facts::Unit::host) {
      plan.on_host = true;
      if (options_.values) plan.host = host_function(path);
      steps_.software(host_cycles(path, config_));
    } else {
      const compile::Fit<std::vector<Job>> fit = jobs_of(path, config_);
      if (const auto* misfit = std::get_if<Misfit>(&fit)) return *misfit;
      machine->units = static_cast<int>(path.stages.size());
      const Job* before = nullptr;
      for (const Job& job : std::get<std::vector<Job>>(fit)) {
        start(job, before);
        before = &job;
        ++plan.passes;
        plan.pass_columns += std::int64_t{row_steps(job, config_.pixels)} * job.rows + job.flush;
      }
    }
    plan.machine = std::move(machine);
    steps_.end_layer(number);
    return std::nullopt;
  }

  std::vector<contract::HostOp> take_steps() override { return steps_.take(); }

  // Writes all registers for the first job of a layer, and for later jobs those that change. So the cycles of a layer
  // do not depend on the layers before it.
  void start(const Job& job, const Job* before) {
    const JobRegisters registers = encode(job), held = before ? encode(*before) : registers;
    steps_.job(registers, before ? &held : nullptr);
  }

  const Config& config_;
  const compile::Fusion& fusion_;
  std::map<int, StoredImage> images_;  // producer -> image
  contract::JobSteps steps_;
};

}  // namespace

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options) {
  const compile::Fusion fusion(network, options.layers, streamed_into(network));
  return Compiler(network, config, fusion, options).run();
}

}  // namespace fansim::vision
