// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/compile.h"

#include <cstring>
#include <map>

#include "base/units.h"
#include "compile/layer_walk.h"

namespace fansim::copy {

std::vector<std::int32_t> StoredBytes::values(const std::uint8_t* memory) const {
  std::vector<std::int32_t> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint8_t byte = memory[address + i];
    all[i] = is_unsigned ? byte : static_cast<std::int8_t>(byte);
  }
  return all;
}

namespace {

class Compiler final : public compile::LayerWalk {
 public:
  Compiler(const network::Network& network, const Config& config, const compile::Fusion& fusion,
           const compile::Options& options)
      : LayerWalk(network, fusion, config.ddr, options), config_(config), fusion_(fusion) {}

 private:
  using Kind = contract::HostOp::Kind;

  std::optional<compile::Misfit> place(int producer, const network::Tensor* values) override {
    StoredBytes& tensor = tensors_[producer];
    const bool input = producer == network::Layer::kInput;
    const network::Shape& shape = input ? network_.input.shape : at(producer).out;
    tensor.bytes = static_cast<std::size_t>(shape.elements());
    tensor.is_unsigned = (input ? network_.input.format : at(producer).out_format).is_unsigned();
    const auto bytes = base::round_up<std::int64_t>(shape.elements(), config_.axi.beat_bytes());
    tensor.address = memory_.reserve(bytes, [values](std::uint8_t* object) {
      if (values) std::memcpy(object, values->bytes.data(), values->bytes.size());
    });
    return std::nullopt;
  }

  std::optional<compile::Misfit> compile(int index, int number, contract::LayerPlan& plan) override {
    const network::Layer& layer = at(index);
    if (layer.type() != network::LayerType::maxpool || layer.window().kernel != 1 || layer.window().stride != 1)
      return compile::Misfit{"the copy engine only copies: maxpool with kernel and stride 1"};
    const StoredBytes &from = tensors_.at(fusion_.root(layer.source)), &to = tensors_.at(index);
    const auto beats =
        base::ceil_div(static_cast<std::uint32_t>(from.bytes), static_cast<std::uint32_t>(config_.axi.beat_bytes()));
    plan.passes = 1;
    plan.pass_columns = beats;
    plan.output = std::make_shared<const StoredBytes>(to);
    step(Kind::begin_layer, 0, static_cast<std::uint32_t>(number));
    step(Kind::software, 0, static_cast<std::uint32_t>(config_.host.layer_setup));
    contract::JobRegisters job(kRegisters);
    job.words = {from.address, to.address, beats, 1};
    contract::add_job(steps_, job);
    step(Kind::end_layer, 0, static_cast<std::uint32_t>(number));
    return std::nullopt;
  }

  std::vector<contract::HostOp> take_steps() override { return std::move(steps_); }

  void step(Kind kind, std::uint32_t address = 0, std::uint32_t value = 0) { steps_.push_back({kind, address, value}); }

  const Config& config_;
  const compile::Fusion& fusion_;
  std::map<int, StoredBytes> tensors_;  // by producer
  std::vector<contract::HostOp> steps_;
};

}  // namespace

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options) {
  const compile::Fusion fusion(network, options.layers, compile::FusedKinds{});
  return Compiler(network, config, fusion, options).run();
}

}  // namespace fansim::copy
