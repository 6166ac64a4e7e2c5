// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "network/tensor.h"
#include "pictures/picture.h"

// Pictures as feature maps. Samples are codes; each channel of the picture is one of the map.
namespace fansim::network {

// Returns whether this is a map of one or three channels of uint8 or uint16.
bool is_picture(const Shape& shape, const NumberFormat& format);

// Returns a map that is_picture() as a picture; the highest code is its maxval.
pictures::Picture picture_of(const Tensor& map);

// Fills `map` with the picture in that file. White is the highest code: samples of a smaller maxval are scaled to it.
// Throws UserError if the map is no picture, or if the picture has another size, other channels or samples of more
// bits.
void read_picture(const std::string& path, Tensor& map);

// Fills a map that is_picture() with pictures::test_card.
void fill_test_card(Tensor& map, std::uint64_t seed);

}  // namespace fansim::network
