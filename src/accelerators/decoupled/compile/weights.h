// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "accelerators/decoupled/compile/tile_size.h"
#include "accelerators/decoupled/compile/work.h"
#include "network/network.h"

namespace fansim::decoupled {

// Writes the weights of all output channels: [group][output tile][input tile][tm block][tn block][kernel row][kernel
// column][tm][tn]. Weights beyond the channels are 0.
std::int64_t weight_image_bytes(const Work& work, const Config& config);
void write_weights(const network::Layer& layer, const Work& work, const TileSize& tile, const Config& config,
                   std::uint8_t* image);

// Returns the parameters of each output channel. The bias compensates the input's zero point, which is multiplied with
// the weights too. The bias of floats is held as their bits. Throws UserError if a bias does not fit into its record.
std::vector<ChannelParameters> channel_parameters(const network::Layer& layer, const Config& config);

// Returns, for a function of one value, the result for each input code from the lowest on.
std::vector<std::int32_t> function_table(const network::Layer& function);
// Returns a function of floats. leaky_relu is computed in single precision, others in double precision and rounded
// once.
std::function<float(float)> float_function(const network::Layer& function);

}  // namespace fansim::decoupled
