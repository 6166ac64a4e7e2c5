// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/compile.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <memory>

#include "accelerators/decoupled/compile/plan.h"
#include "accelerators/decoupled/compile/scheduler.h"
#include "accelerators/decoupled/compile/weights.h"
#include "accelerators/decoupled/config/arithmetic.h"
#include "accelerators/decoupled/config/check.h"
#include "compile/layer_walk.h"
#include "compile/text.h"
#include "contract/job_steps.h"

namespace fansim::decoupled {
namespace {

using network::Layer;
using network::LayerType;

constexpr std::int64_t kKib = 1024;

// Collects the host's steps: the software of a layer, then, for each job, its number and its start.
class HostSteps : public contract::JobSteps {
 public:
  explicit HostSteps(const Config& config) : JobSteps(config.host), host_(config.host) {}

  std::optional<compile::Misfit> layer(int number, const DecoupledLayer& layer) {
    begin_layer(number);
    for (std::size_t i = 0; i < layer.jobs.size(); ++i) {
      const std::int64_t cycles = cycles_of(layer.jobs[i]);
      if (cycles > std::numeric_limits<std::int32_t>::max())
        return compile::Misfit{fmt::format("host: a call takes {} cycles of software", compile::grouped(cycles))};
      if (cycles > 0) software(static_cast<std::uint32_t>(cycles));
      job(JobRegisters(i));
    }
    end_layer(number);
    return std::nullopt;
  }

 private:
  std::int64_t cycles_of(const Job& job) const {
    std::int64_t bytes = 0;
    for (const Command& command : job.commands)
      bytes += std::int64_t{command.planes.planes} * command.planes.rows.rows * command.planes.rows.row_bytes;
    return host_.call + host_.command.times(static_cast<std::int64_t>(job.commands.size())) +
           base::Cost::sum({{bytes, host_.flush_per_kib}, {job.clears, host_.clear_per_kib}}, kKib);
  }

  const DriverConfig& host_;
};

class Compiler final : public compile::LayerWalk {
 public:
  Compiler(const network::Network& network, const Config& config, const Plan& plan, const compile::Options& options)
      : LayerWalk(network, plan, config.ddr, options), config_(config), plan_(plan), host_(config) {}

 private:
  std::optional<compile::Misfit> place(int producer, const network::Tensor* values) override {
    const network::Shape& shape = network_.shape(producer);
    if (shape.sequence) return compile::Misfit{"a sequence: the decoupled accelerator computes on feature maps"};
    StoredMap map(producer < 0 ? "input" : at(producer).name, shape, network_.format(producer), config_);
    const std::int64_t bytes = map.bytes();
    map.address = memory_.reserve(
        bytes, !values ? compile::Memory::Fill{} : [map, values](std::uint8_t* object) {
          StoredMap relative = map;
          relative.address = 0;
          relative.write(*values, object);
        });
    for (const int part : plan_.parts_in(producer)) {
      maps_[part] = map.part(plan_.part(part).first, network_.shape(part).channels);
      if (part >= 0) maps_[part].name = at(part).name;
    }
    return std::nullopt;
  }

  std::optional<compile::Misfit> compile(int index, int number, contract::LayerPlan& plan) override {
    const auto layer = std::make_shared<DecoupledLayer>();
    if (!plan_.moves_nothing(index) && !plan_.is_fused(index)) {
      if (auto failed = lower(index, *layer)) return failed;
      if (auto failed = host_.layer(number, *layer)) return failed;
      for (const Job& job : layer->jobs)
        for (const Command& command : job.commands) {
          plan.passes += command.action == Action::store;
          plan.pass_columns += command.unit == Unit::compute ? command.steps : 0;
        }
    }
    if (plan.fused_into < 0) plan.output = std::make_shared<const StoredMap>(maps_.at(plan_.root(index)));
    plan.machine = layer;
    return std::nullopt;
  }

  int pictures() const override { return config_.array.batch; }
  std::vector<contract::HostOp> take_steps() override { return host_.take(); }
  const contract::ComputingHostConfig* software() const override { return &config_.host; }
  const arith::QuantiserFormat& quantiser() const override { return config_.quantiser; }
  bool has_hardware_for(int index) const override { return plan_.is_fused(index); }
  bool lacks(int index) const override {
    const LayerType type = at(index).type();
    return type == LayerType::add || type == LayerType::relu || type == LayerType::avgpool;
  }
  compile::HostTensor host_tensor(int producer) const override {
    const StoredMap map = maps_.at(producer);
    return {std::make_shared<const StoredMap>(map),
            [map](std::uint8_t* memory, const network::Tensor& values) { map.write(values, memory); }};
  }
  void host_layer(int number, std::uint32_t cycles) override {
    host_.begin_layer(number, cycles);
    host_.end_layer(number);
  }

  std::optional<compile::Misfit> lower(int index, DecoupledLayer& layer) {
    const Layer& of = at(index);
    if (of.type() != LayerType::conv && of.type() != LayerType::fc && of.type() != LayerType::maxpool)
      return compile::Misfit{fmt::format("the decoupled accelerator has no {}", of.kind())};
    Work work;
    if (auto misfit = describe(index, work)) return misfit;
    const network::NumberFormat& read = network_.format(of.source);
    layer.in_unsigned = read.is_unsigned();
    const bool floats = config_.data.type == DataType::float32;
    layer.zero_point = !work.pools ? read.zero_point  // the border must not win a comparison
                       : floats    ? bits_of(-std::numeric_limits<float>::infinity())
                                   : read.lowest();
    layer.weighs = !work.pools;
    layer.out = {1, 0, of.out_format.zero_point, of.out_format.is_unsigned(), of.out_format.bits};
    layer.relu = !work.pools && of.activation == network::Activation::relu;
    if (const int function = plan_.next(index); function >= 0) {
      if (floats)
        layer.float_function = float_function(at(function));
      else
        layer.code_table = function_table(at(function));
    }

    TileLimits limits = config_.limits_of(of.name);
    const bool lines = config_.schedule.maps == Inputs::lines && of.type() != LayerType::fc;
    if (lines) limits.threads = Threads::none;
    TileSize tile = channels_of(work, limits, config_);
    if (!lines) {
      const auto chosen = choose_tile(work, limits, config_);
      if (const auto* failed = std::get_if<compile::Misfit>(&chosen)) return *failed;
      tile = std::get<TileSize>(chosen);
    }
    if (layer.weighs) reserve_parameters(of, tile, work, layer);
    if (!lines) {
      layer.jobs = tile_jobs(work, limits, tile, config_);
      return std::nullopt;
    }
    if (!work.pools && work.inputs > tile.inputs)
      work.sums = memory_.reserve(std::int64_t{work.groups} * work.output_blocks(work.outputs, config_) *
                                  sum_vector_bytes(config_) * work.out.rows * work.out.columns);
    auto jobs = line_jobs(work, limits, config_);
    if (const auto* failed = std::get_if<compile::Misfit>(&jobs)) return *failed;
    layer.jobs = std::get<std::vector<Job>>(std::move(jobs));
    return std::nullopt;
  }

  std::optional<compile::Misfit> describe(int index, Work& work) const {
    const Layer& layer = at(index);
    const int end = plan_.fused_into(index);
    work.pools = layer.type() == LayerType::maxpool;
    work.in = maps_.at(plan_.root(layer.source));
    work.out = maps_.at(end < 0 ? index : end);
    if (layer.type() == LayerType::fc) {
      work.positions = work.in.rows * work.in.columns;
      work.in = work.in.flattened();
    } else if (layer.in != network::Shape::map(work.in.channels, work.in.rows, work.in.columns)) {
      return compile::Misfit{fmt::format("flatten: {} is read, {} x {} x {} lies in memory", layer.in.text(),
                                         work.in.channels, work.in.rows, work.in.columns)};
    } else {
      const network::Window& window = layer.window();
      work.kernel = window.kernel;
      work.stride = window.stride;
      work.top = window.padding[0];
      work.left = window.padding[1];
    }
    work.groups = layer.groups();
    work.inputs = work.in.channels / work.groups;
    work.outputs = work.out.channels / work.groups;
    if (layer.outputs() > kMostParameters)
      return compile::Misfit{
          fmt::format("{} output channels, parameters of {} have room", layer.outputs(), kMostParameters)};
    const int block = config_.block();
    if (work.groups > 1 && (work.inputs % block != 0 || work.outputs % block != 0))
      return compile::Misfit{
          fmt::format("groups: {} input and {} output channels of each begin inside a block of {} "
                      "(schedule.block)",
                      work.inputs, work.outputs, block)};
    return std::nullopt;
  }

  void reserve_parameters(const Layer& of, const TileSize& tile, Work& work, DecoupledLayer& layer) {
    const std::int64_t bytes = weight_image_bytes(work, config_);
    const bool values = options_.values;
    work.weights = memory_.reserve(
        bytes, !values ? compile::Memory::Fill{} : [&of, work, tile, &config = config_](std::uint8_t* image) {
          write_weights(of, work, tile, config, image);
        });
    std::vector<ChannelParameters> parameters(static_cast<std::size_t>(of.outputs()));
    if (values) parameters = channel_parameters(of, config_);
    if (config_.schedule.parameters == Parameters::command) {
      layer.parameters = std::move(parameters);
      return;
    }
    work.parameters = memory_.reserve(std::int64_t{of.outputs()} * kParameterBytes,
                                      [parameters = std::move(parameters)](std::uint8_t* record) {
                                        for (const ChannelParameters& channel : parameters) {
                                          put_parameters(channel, record);
                                          record += kParameterBytes;
                                        }
                                      });
  }

  const Config& config_;
  const Plan& plan_;
  HostSteps host_;
  std::map<int, StoredMap> maps_;  // producer -> map
};

}  // namespace

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options) {
  const Plan plan(network, config, options.layers);
  return Compiler(network, config, plan, options).run();
}

}  // namespace fansim::decoupled
