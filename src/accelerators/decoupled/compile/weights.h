// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "accelerators/decoupled/compile/tile_size.h"
#include "accelerators/decoupled/compile/work.h"
#include "network/network.h"

namespace fansim::decoupled {

// Of all output channels: [group][output tile][input tile][tm block][tn block][kernel row][kernel column][tm][tn]; what
// is behind the channels is 0.
std::int64_t weight_image_bytes(const Work& work, const Config& config);
void write_weights(const network::Layer& layer, const Work& work, const TileSize& tile, const Config& config,
                   std::uint8_t* image);

// The bias has the share of the input's zero point, which is multiplied with the weights too; of floats it is bits.
// UserError where it is beyond a record's bits.
std::vector<ChannelParameters> channel_parameters(const network::Layer& layer);

// Of a function of one value: what each code of its input becomes, from the lowest on.
std::vector<std::int32_t> function_table(const network::Layer& function);
// Of floats: leaky_relu in single precision, others in double precision and rounded once.
std::function<float(float)> float_function(const network::Layer& function);

}  // namespace fansim::decoupled
