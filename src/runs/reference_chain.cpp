// SPDX-License-Identifier: Apache-2.0
#include "runs/reference_chain.h"

#include <optional>

#include "base/interrupt.h"
#include "network/random_tensors.h"

namespace fansim::runs {

const network::Tensor& ReferenceChain::tensor(int producer) {
  return producer == network::Layer::kInput ? input_ : of(producer).out;
}

const network::Result& ReferenceChain::of(int index) {
  const auto known = done_.find(index);
  if (known != done_.end()) return known->second;
  base::stop_if_interrupted();
  const network::Layer& given = network_.layers[static_cast<std::size_t>(index)];
  std::optional<network::Layer> drawn;
  if (given.computes() && given.parameters().later) {
    drawn = given;
    drawn->parameters().weights = network::later_weights(given);
  }
  const network::Layer& layer = drawn ? *drawn : given;
  const network::Tensor& in = tensor(layer.source);
  const network::Tensor* with = layer.reads_two() ? &tensor(layer.with) : nullptr;
  const arith::KernelSums* kernels = kernels_.empty() ? nullptr : &kernels_[static_cast<std::size_t>(index)];
  return done_.emplace(index, network::run_reference(layer, format_, in, with, kernels)).first->second;
}

network::RoundingErrors ReferenceChain::rounding() const {
  network::RoundingErrors all;
  for (const auto& [index, result] : done_) all.add(result.rounding);
  return all;
}

}  // namespace fansim::runs
