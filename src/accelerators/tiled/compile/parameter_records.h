// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "network/network.h"

namespace fansim::tiled {

// An tiled::ChannelParameters record per output channel. The bias holds the share of the input's zero point: the
// hardware multiplies q, not q - z. Throws base::UserError if that does not fit.
constexpr int kParameterBytes = 8;
void write_parameters(const network::Layer& layer, int group, std::uint8_t* records);

}  // namespace fansim::tiled
