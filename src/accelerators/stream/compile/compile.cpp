// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "accelerators/stream/compile/convolution.h"
#include "accelerators/stream/compile/host_program.h"
#include "accelerators/stream/compile/matrix.h"
#include "accelerators/stream/compile/place.h"
#include "accelerators/stream/compile/plan.h"
#include "accelerators/stream/compile/recurrent.h"
#include "accelerators/stream/config/tensor_place.h"
#include "compile/chains.h"
#include "compile/code_table.h"
#include "compile/layer_walk.h"

namespace fansim::stream {

namespace {

using network::Layer;
using network::LayerType;

class Compiler final : public compile::LayerWalk {
 public:
  Compiler(const network::Network& network, const Config& config, const Plan& plan, const compile::Options& options,
           const CutCache& known, LeftOuts* left_out)
      : LayerWalk(network, plan, config.ddr, options),
        config_(config),
        plan_(plan),
        // the steps that write the table do not follow from the cut
        known_(config.array.code_table ? CutCache() : known),
        host_(config.host, left_out) {}

 private:
  std::optional<compile::Misfit> refusal() const override {
    const ArrayConfig& array = config_.array;
    if (array.output_channels % array.input_channels == 0) return std::nullopt;
    return compile::Misfit{fmt::format("array: output_channels {} is no multiple of input_channels {}",
                                       array.output_channels, array.input_channels)};
  }

  // A network with such a layer is not widened (prepare.h).
  std::optional<compile::Misfit> refusal_of(const Layer& layer) const override {
    const ArrayConfig& array = config_.array;
    if (!array.wide() || !layer.recurs()) return std::nullopt;
    return compile::Misfit{fmt::format("array: {} layers have operands and coefficients of 8 bits, not of {} and {}",
                                       network::type_name(layer.type()), array.operand_bits, array.weight_bits())};
  }

  // Flattening moves no data, so only fully connected and elementwise layers can read a flattened map.
  static compile::Misfit flattened(const network::Shape& wanted, const network::Shape& stored) {
    return {fmt::format("flatten: {} is read, {} lies in memory", wanted.text(), stored.text())};
  }

  std::optional<compile::Misfit> place(int producer, const network::Tensor* values) override {
    Place whole = plan_.place(producer);
    reserve(whole, memory_, values);
    for (const int part : plan_.parts_in(producer)) {
      Place& place = places_[part] = part == producer ? whole : plan_.place(part);
      if (part != producer) place.address += whole.address;
    }
    return std::nullopt;
  }

  std::optional<compile::Misfit> compile(int index, int number, contract::LayerPlan& plan) override {
    compile::Fit<Jobs> fit = jobs_of(index);
    if (auto* failed = std::get_if<compile::Misfit>(&fit)) return *failed;
    auto& jobs = std::get<Jobs>(fit);
    const int looked_up = config_.array.code_table && !jobs.empty() ? plan_.table_of(index) : -1;
    for (RepeatedJob& repeated : jobs) {
      Command& command = repeated.first.command;
      command.by_table = looked_up >= 0;
      plan.passes += repeated.times * command.passes();
      plan.pass_columns += repeated.times * command.passes() * command.columns;
    }
    if (!jobs.empty())
      if (const auto failed = write_steps(number, jobs, looked_up)) return failed;
    if (plan.fused_into < 0) plan.output = std::make_shared<const TensorPlace>(places_.at(plan_.root(index)).tensor());
    return std::nullopt;
  }

  // `looked_up` is the layer whose function's table holds the results, or -1.
  std::optional<compile::Misfit> write_steps(int number, const Jobs& jobs, int looked_up) try {
    const CodeTable table = looked_up < 0 ? CodeTable{} : compile::code_table(at(looked_up));
    host_.layer(number, jobs, looked_up < 0 ? nullptr : &table);
    return std::nullopt;
  } catch (const WideField& wide) {
    return compile::Misfit{wide.what()};
  }

  std::vector<contract::HostOp> take_steps() override { return host_.take(); }

  const contract::ComputingHostConfig* software() const override { return &config_.host; }
  bool has_hardware_for(int index) const override { return plan_.looks_up(index); }
  bool lacks(int index) const override { return Plan::too_heavy(at(index), config_.array.weight_bits()); }
  const arith::QuantiserFormat& quantiser() const override { return config_.quantiser; }
  compile::HostTensor host_tensor(int producer) const override {
    const Place place = places_.at(producer);
    return {
        std::make_shared<const TensorPlace>(place.tensor()),
        [place](std::uint8_t* memory, const network::Tensor& values) { write(place, values, memory + place.address); }};
  }
  void host_layer(int number, std::uint32_t cycles) override { host_.software_layer(number, cycles); }

  compile::Fit<Jobs> jobs_of(int index) {
    const Layer& layer = at(index);
    if (plan_.moves_nothing(index) || plan_.is_fused(index)) return Jobs{};
    const int end = plan_.fused_into(index), pool = plan_.pool_behind(index);
    const Place& in = places_.at(plan_.root(layer.source));
    const Place& out = places_.at(end < 0 ? index : end);
    const ArrayConfig& array = config_.array;
    if (layer.computes() && array.chains()) {
      const contract::DualInt8Config chain{array.chain_terms(), array.shared, in.is_unsigned,
                                           layer.parameters().lowest_weight};
      if (auto misfit = compile::chain_misfit(fmt::format("array.terms {}", array.terms), chain)) return *misfit;
    }
    if (config_.array.rounds() && layer.type() != LayerType::conv && layer.type() != LayerType::fc)
      return compile::Misfit{fmt::format("array.rounding faithful: {} layers need exact sums; 'full' gives them",
                                         network::type_name(layer.type()))};
    switch (layer.type()) {
      case LayerType::fc:
        return fully_connected_jobs(layer, in, out, config_, memory_, known_);
      case LayerType::lstm:
      case LayerType::gru:
        return recurrent_jobs(layer, in, out, config_, memory_);
      case LayerType::add: {
        const Place& with = places_.at(plan_.root(layer.with));
        if (with.shape != in.shape) return flattened(with.shape, in.shape);
        return channelwise_jobs(layer, {&in, &with}, out);
      }
      case LayerType::relu:
      case LayerType::function:
        return channelwise_jobs(layer, {&in}, out);
      default:
        if (in.shape != layer.in) return flattened(layer.in, in.shape);
        if (layer.type() != LayerType::conv) return channelwise_jobs(layer, {&in}, out);
        return convolution_jobs(convolution(layer, pool < 0 ? nullptr : &at(pool), in, out), config_, memory_, known_);
    }
  }

  compile::Fit<Jobs> channelwise_jobs(const Layer& layer, const std::vector<const Place*>& in, const Place& out) {
    const bool unscaled = !layer.weighs() && (layer.type() != LayerType::avgpool || layer.window().kernel == 1);
    const auto narrow = too_narrow(layer.function() ? layer.in_format : layer.out_format, static_cast<int>(in.size()),
                                   config_.quantiser);
    if (unscaled && narrow) return *narrow;
    return convolution_jobs(channelwise(layer, in, out), config_, memory_, known_);
  }

  const Config& config_;
  const Plan& plan_;
  const CutCache known_;
  HostProgram host_;
  std::map<int, Place> places_;  // producer -> place; references stay valid
};

}  // namespace

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options, const CutCache& known, LeftOuts* left_out) {
  const Plan plan(network, config, options.layers);
  return Compiler(network, config, plan, options, known, left_out).run();
}

// A kernel covers a tap row: the taps of a convolution's row (pack_kernels), or an equal number of words of a vector
// (pack_matrix).
std::vector<arith::KernelSums> kernel_sums(const network::Network& network, const Config& config,
                                           const std::vector<int>& layers) {
  const ArrayConfig& array = config.array;
  if (!array.rounds()) return {};
  const Plan plan(network, config, layers);
  const arith::LutKernel kernel(array.kernel().format);
  std::vector<arith::KernelSums> all;
  for (const Layer& layer : network.layers) {
    arith::KernelSums& kernels = all.emplace_back();
    kernels.slice_bits = kernel.slice_bits();
    for (int s = 0; s < kernel.slices(); ++s) kernels.dropped.push_back(kernel.first_bit(s));
    kernels.added = kernel.rounding();
    kernels.output_bit = kernel.output_bit();
    kernels.channels = array.input_channels;
    kernels.columns = array.cols;
    if (layer.type() != LayerType::fc) continue;
    const std::vector<std::int32_t> elements = plan.place(plan.root(layer.source)).elements();
    kernels.of_input.resize(static_cast<std::size_t>(layer.in.elements()));
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (elements[i] >= 0)
        kernels.of_input[static_cast<std::size_t>(elements[i])] =
            static_cast<int>(i) / (array.cols * array.input_channels);
  }
  return all;
}

}  // namespace fansim::stream
