// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/prepare.h"

#include <fmt/format.h>

#include "accelerators/tiled/compile/engine_choice.h"
#include "arith/quantisation/component.h"
#include "network/codes/quantise.h"

namespace fansim::tiled {

void prepare(network::Network& network, const Config& config, const network::LoadOptions& options) {
  const arith::QuantisationMethods methods;
  const QuantisationConfig& q = config.quantisation;
  const arith::Grain grain = q.grain == MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
  network::quantise(network, {methods.find(q.method), q.weight_bits, q.activation_bits, grain, config.quantiser},
                    options);
  declare_sum_order(network, config);
}

std::string number_format(const Config& config) {
  const QuantisationConfig& q = config.quantisation;
  return fmt::format("{} {} {} {} {} {}", q.method, q.weight_bits, q.activation_bits, static_cast<int>(q.grain),
                     config.quantiser.accumulator_bits, config.quantiser.operand_bits);
}

}  // namespace fansim::tiled
