// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/stream/config/config.h"
#include "network/quantise.h"

namespace fansim::stream {

// The accelerator computes networks as they are loaded: int8.
inline void prepare(network::Network& network, const Config&, const network::LoadOptions&) {
  network::require_int8(network);
}
inline std::string number_format(const Config&) { return "int8"; }

}  // namespace fansim::stream
