// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "network/network.h"

namespace fansim::tiled {

// Writes a record of ChannelParameters for each output channel. The bias compensates the input's zero point, because
// the hardware multiplies q, not q - z. Throws base::UserError if sums of so many bits need more of it than fits.
constexpr int kParameterBytes = 8;
void write_parameters(const network::Layer& layer, int group, int accumulator_bits, std::uint8_t* records);

}  // namespace fansim::tiled
