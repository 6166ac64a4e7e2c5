// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/plan.h"

#include <algorithm>

namespace fansim::decoupled {
namespace {

using network::Layer;
using network::LayerType;

bool is_of_one_value(const Layer& layer) {
  const network::FunctionStage* stage = layer.function();
  return stage && network::facts(stage->function).of_each && stage->slopes.size() <= 1;
}

// Returns for each convolution or fully connected layer the function of one value that is its only reader; -1: none.
std::vector<int> functions_behind(const network::Network& network) {
  std::vector<int> readers(network.layers.size()), into(network.layers.size(), -1);
  const auto read = [&](int producer) {
    if (producer >= 0) ++readers[static_cast<std::size_t>(producer)];
  };
  for (const Layer& layer : network.layers) {
    read(layer.source);
    if (layer.reads_two()) read(layer.with);
  }
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    if (layer.source < 0 || !is_of_one_value(layer)) continue;
    const auto source = static_cast<std::size_t>(layer.source);
    const LayerType before = network.layers[source].type();
    if (readers[source] == 1 && (before == LayerType::conv || before == LayerType::fc))
      into[source] = static_cast<int>(i);
  }
  return into;
}

}  // namespace

Plan::Plan(const network::Network& network, const Config& config, const std::vector<int>& wanted)
    : compile::Fusion(network, wanted, functions_behind(network)) {
  join([this, block = config.block()](int concat) {
    const std::vector<int> parts = written(part(concat).of);
    return std::all_of(parts.begin(), parts.end(), [&](int one) { return part(one).first % block == 0; });
  });
}

}  // namespace fansim::decoupled
