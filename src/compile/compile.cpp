// SPDX-License-Identifier: Apache-2.0
#include "compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "compile/convolution.h"
#include "compile/host_program.h"
#include "compile/matrix.h"
#include "compile/memory.h"
#include "compile/place.h"
#include "compile/plan.h"
#include "compile/recurrent.h"
#include "compile/text.h"

namespace fansim::compile {

namespace {

using network::Layer;
using network::LayerType;

class Compiler {
 public:
  Compiler(const network::Network& network, const arch::StreamConfig& config, const Options& options)
      : network_(network),
        config_(config),
        options_(options),
        plan_(network, config.array, options.layers),
        memory_(object_alignment(config.ddr)) {}

  std::variant<arch::Program, Unschedulable> run() {
    const arch::ArrayConfig& array = config_.array;
    if (array.output_channels % array.input_channels != 0)
      return unschedulable(fmt::format("array: output_channels {} is no multiple of input_channels {}",
                                       array.output_channels, array.input_channels));
    place_tensors();
    HostProgram host(config_.host);
    arch::Program program;
    for (const int index : plan_.chosen) {
      const Layer& layer = at(index);
      Fit<std::vector<Job>> fit = jobs_of(index);
      if (auto* failed = std::get_if<Misfit>(&fit)) return unschedulable(failed->reason, &layer);
      const auto& jobs = std::get<std::vector<Job>>(fit);
      for (const Job& job : jobs)
        if (const auto wide = too_wide(job.command)) return unschedulable(wide->reason, &layer);
      if (!jobs.empty()) host.layer(static_cast<int>(program.layers.size()), jobs);
      program.layers.push_back(layer_plan(index, jobs));
    }
    if (memory_.size() > memory_capacity(config_.ddr))
      return unschedulable(fmt::format("DDR: the network needs {} B of {}", grouped(memory_.size()),
                                       grouped(memory_capacity(config_.ddr))));
    program.ops = host.take();
    if (options_.memory) program.memory = memory_.image(options_.values);
    return program;
  }

 private:
  const Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }

  static Unschedulable unschedulable(const std::string& reason, const Layer* layer = nullptr) {
    Unschedulable result;
    if (layer) {
      result.layer = layer->name;
      result.where = layer->where;
    }
    result.reason = reason;
    return result;
  }

  // Flattening moves nothing; only fully connected and elementwise layers do not mind.
  static Misfit flattened(const network::Shape& wanted, const network::Shape& stored) {
    return {fmt::format("flatten: {} is read, {} lies in memory", wanted.text(), stored.text())};
  }

  // Every tensor that a chosen layer reads or writes.
  void place_tensors() {
    for (const int index : plan_.chosen) {
      place(plan_.root(at(index).source));
      if (at(index).type == LayerType::add) place(plan_.root(at(index).with));
      if (at(index).type != LayerType::flatten && plan_.fused_into(index) < 0) place(index);
    }
  }

  void place(int producer) {
    if (plan_.fused_into(producer) >= 0 || !places_.try_emplace(producer).second) return;
    Place& place = places_[producer] = plan_.place(producer);
    reserve(place, memory_, plan_.is_chosen(producer) || !options_.values ? nullptr : &supplied(producer));
  }

  // A tensor from outside the program; a flattened one has the same bytes.
  const network::Tensor& supplied(int producer) const {
    if (producer == Layer::kInput) return network_.input;
    for (const auto& [index, tensor] : options_.tensors)
      if (plan_.root(index) == producer) return tensor;
    throw std::logic_error("compile: no tensor for skipped layer " + at(producer).name);
  }

  Fit<std::vector<Job>> jobs_of(int index) {
    const Layer& layer = at(index);
    if (layer.type == LayerType::flatten || plan_.is_fused_pool(index)) return std::vector<Job>{};
    const int pool = plan_.fused_into(index);
    const Place& in = places_.at(plan_.root(layer.source));
    const Place& out = places_.at(pool < 0 ? index : pool);
    switch (layer.type) {
      case LayerType::fc:
        return fully_connected_jobs(layer, in, out, config_, memory_);
      case LayerType::lstm:
      case LayerType::gru:
        return recurrent_jobs(layer, in, out, config_, memory_);
      case LayerType::add: {
        const Place& with = places_.at(plan_.root(layer.with));
        if (with.shape != in.shape) return flattened(with.shape, in.shape);
        return convolution_jobs(channelwise(layer, {&in, &with}, out), config_, memory_);
      }
      case LayerType::relu:
        return convolution_jobs(channelwise(layer, {&in}, out), config_, memory_);
      default:
        if (in.shape != layer.in) return flattened(layer.in, in.shape);
        if (layer.type != LayerType::conv) return convolution_jobs(channelwise(layer, {&in}, out), config_, memory_);
        return convolution_jobs(convolution(layer, pool < 0 ? nullptr : &at(pool), in, out), config_, memory_);
    }
  }

  arch::LayerPlan layer_plan(int index, const std::vector<Job>& jobs) const {
    const Layer& layer = at(index);
    arch::LayerPlan plan;
    plan.name = layer.name;
    plan.type = network::type_name(layer.type);
    plan.layer = index;
    plan.macs = layer.macs();
    for (const Job& job : jobs) {
      plan.passes += job.command.passes();
      plan.pass_columns += job.command.passes() * job.command.columns;
    }
    plan.fused_into = plan_.fused_into(index);
    if (plan.fused_into < 0) plan.output = places_.at(plan_.root(index)).tensor();
    return plan;
  }

  const network::Network& network_;
  const arch::StreamConfig& config_;
  const Options& options_;
  Plan plan_;
  Memory memory_;
  std::map<int, Place> places_;  // by producer; references stay valid
};

}  // namespace

std::variant<arch::Program, Unschedulable> compile(const network::Network& network, const arch::StreamConfig& config,
                                                   const Options& options) {
  return Compiler(network, config, options).run();
}

}  // namespace fansim::compile
