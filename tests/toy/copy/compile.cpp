// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <map>

#include "base/units.h"
#include "compile/layer_walk.h"
#include "contract/job_steps.h"
#include "toy/copy/copy.h"

namespace fansim::copy {
namespace {

// A tensor is one range of bytes, which begins at a multiple of 4 KiB.
struct StoredBytes final : contract::StoredTensor {
  std::vector<std::int32_t> values(const std::uint8_t* memory) const override {
    std::vector<std::int32_t> all(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::uint8_t byte = memory[address + i];
      all[i] = is_unsigned ? byte : static_cast<std::int8_t>(byte);
    }
    return all;
  }

  std::uint32_t address = 0;
  std::size_t bytes = 0;
  bool is_unsigned = false;
};

class Compiler final : public compile::LayerWalk {
 public:
  Compiler(const network::Network& network, const Config& config, const compile::Fusion& fusion,
           const compile::Options& options)
      : LayerWalk(network, fusion, config.ddr, options), config_(config), fusion_(fusion), steps_(config.host) {}

 private:
  std::optional<compile::Misfit> place(int producer, const network::Tensor* values) override {
    StoredBytes& tensor = tensors_[producer];
    tensor.bytes = static_cast<std::size_t>(network_.shape(producer).elements());
    tensor.is_unsigned = network_.format(producer).is_unsigned();
    const std::int64_t bytes =
        base::round_up(network_.shape(producer).elements(), std::int64_t{config_.axi.beat_bytes()});
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
    const auto beats = base::ceil_div<std::size_t>(from.bytes, static_cast<std::size_t>(config_.axi.beat_bytes()));
    plan.passes = 1;
    plan.pass_columns = static_cast<std::int64_t>(beats);
    plan.output = std::make_shared<const StoredBytes>(to);
    contract::JobRegisters job(kRegisters);
    job.words = {from.address, to.address, static_cast<std::uint32_t>(beats), 1};
    steps_.begin_layer(number);
    steps_.job(job);
    steps_.end_layer(number);
    return std::nullopt;
  }

  std::vector<contract::HostOp> take_steps() override { return steps_.take(); }

  const Config& config_;
  const compile::Fusion& fusion_;
  std::map<int, StoredBytes> tensors_;  // by producer
  contract::JobSteps steps_;
};

}  // namespace

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options) {
  const compile::Fusion fusion(network, options.layers, compile::FusedKinds{});
  return Compiler(network, config, fusion, options).run();
}

}  // namespace fansim::copy
