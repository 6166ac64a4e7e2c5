// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "network/network.h"
#include "network/reference.h"

namespace fansim::runs {

// The reference executor's own outputs, each computed from its own inputs when first asked for.
class ReferenceChain {
 public:
  ReferenceChain(const network::Network& network, const arith::QuantiserFormat& format)
      : network_(network), format_(format) {}

  const network::Result& of(int layer);
  const network::Tensor& tensor(int producer);  // Layer::kInput: the network's input

 private:
  const network::Network& network_;
  const arith::QuantiserFormat& format_;
  std::map<int, network::Result> done_;
};

}  // namespace fansim::runs
