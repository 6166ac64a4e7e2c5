// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/prepare.h"

#include "base/error.h"
#include "network/quantise.h"

namespace fansim::decoupled {

void prepare(network::Network& network, const Config& config, const network::LoadOptions& options) {
  if (config.data.type == DataType::float32 && options.values)
    throw base::UserError(
        "data.type float32: only its time is simulated; --timing-only, or data.type int8 or int16 for values");
  if (config.data.type == DataType::int16) return network::quantise_linear(network, 16, 16, config.quantiser, options);
  network::require_int8(network);
}

}  // namespace fansim::decoupled
