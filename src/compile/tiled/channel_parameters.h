// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "network/network.h"

namespace fansim::compile {

// A record per output channel, little-endian: bias in 4 bytes, then scale in 2 and shift in 1; summed in single
// precision, bias and scale as floats of 4 bytes each. The bias holds the share of the input's zero point: the hardware
// multiplies q, not q - z.
constexpr int kParameterBytes = 8;
void write_parameters(const network::Layer& layer, int group, std::uint8_t* records);

}  // namespace fansim::compile
