// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pictures/picture.h"

// Portable Network Graphics, by libpng.
namespace fansim::pictures {

bool is_png(std::string_view file);

// Gray and colour, interlaced or not; a palette becomes colour, fewer than 8 bits become 8. What the file says of gamma
// and colour spaces is left alone: samples are numbers. UserError without the file's name.
Picture decode_png(std::string_view file, std::int64_t most_pixels);

std::string encode_png(const Picture& picture);  // of a maxval of 255 or 65535

}  // namespace fansim::pictures
