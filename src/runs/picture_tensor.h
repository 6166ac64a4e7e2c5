// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "network/tensor.h"
#include "pictures/picture.h"

// Pictures as feature maps. Samples are codes; a channel of the picture is one of the map.
namespace fansim::runs {

// A map of one or three channels of uint8 or uint16.
bool is_picture(const network::Shape& shape, const network::NumberFormat& format);

// A map that is_picture(); the highest code is the maxval.
pictures::Picture picture_of(const network::Tensor& map);

// Fills `map` with the picture in that file. White is the highest code: samples of a smaller maxval are scaled to it.
// UserError if the map is no picture, or that of the file has another size, other channels or samples of more bits.
void read_picture(const std::string& path, network::Tensor& map);

// Fills a map that is_picture() with pictures::test_card.
void fill_test_card(network::Tensor& map, std::uint64_t seed);

}  // namespace fansim::runs
