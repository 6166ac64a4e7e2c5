// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "network/network.h"
#include "network/reference/reference.h"

namespace fansim::runs {

// Computes the reference executor's outputs, each from the reference's own inputs, when they are first needed.
class ReferenceChain {
 public:
  // `kernels` has an entry for each layer if the machine's kernels round, else none.
  ReferenceChain(const network::Network& network, const arith::QuantiserFormat& format,
                 std::vector<arith::KernelSums> kernels)
      : ReferenceChain(network, network.input, format, std::move(kernels)) {}
  // Uses another input than the network's.
  ReferenceChain(const network::Network& network, network::Tensor input, const arith::QuantiserFormat& format,
                 std::vector<arith::KernelSums> kernels)
      : network_(network), input_(std::move(input)), format_(format), kernels_(std::move(kernels)) {}

  const network::Result& of(int layer);
  network::RoundingErrors rounding() const;     // over all layers computed so far
  const network::Tensor& tensor(int producer);  // Layer::kInput: the input

 private:
  const network::Network& network_;
  const network::Tensor input_;
  const arith::QuantiserFormat& format_;
  const std::vector<arith::KernelSums> kernels_;
  std::map<int, network::Result> done_;
};

}  // namespace fansim::runs
