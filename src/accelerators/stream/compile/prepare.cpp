// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/prepare.h"

#include <fmt/format.h>

#include <algorithm>

#include "network/codes/quantise.h"

namespace fansim::stream {

// Networks with layers that exist only in int8 stay unchanged, and the compiler refuses those layers.
void prepare(network::Network& network, const Config& config, const network::LoadOptions& options) {
  const ArrayConfig& array = config.array;
  const bool int8_alone = std::any_of(network.layers.begin(), network.layers.end(),
                                      [](const network::Layer& layer) { return layer.recurs(); });
  if (array.wide() && !int8_alone)
    network::quantise_linear(network, array.weight_bits(), array.operand_bits, config.quantiser, options);
  else
    network::require_int8(network);
}

std::string number_format(const Config& config) {
  const ArrayConfig& array = config.array;
  if (!array.wide()) return "int8";
  return fmt::format("{} {} {} {} {}", array.weight_bits(), array.operand_bits, config.quantiser.accumulator_bits,
                     config.quantiser.operand_bits, static_cast<int>(config.quantiser.rounding));
}

}  // namespace fansim::stream
