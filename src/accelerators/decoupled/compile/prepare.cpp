// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/prepare.h"

#include "accelerators/decoupled/compile/sum_order.h"
#include "network/codes/quantise.h"
#include "network/float/in_single.h"

namespace fansim::decoupled {

void prepare(network::Network& network, const Config& config, const network::LoadOptions& options) {
  if (config.data.type == DataType::int16) {
    network::quantise_linear(network, 16, 16, config.quantiser, options);
    return;
  }
  network::require_int8(network);
  if (config.data.type != DataType::float32 || network.layers.front().vision()) return;
  network::in_single(network, options);
  declare_sum_order(network, config);
}

}  // namespace fansim::decoupled
