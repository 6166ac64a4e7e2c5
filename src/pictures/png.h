// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pictures/picture.h"

// Returns whether the file begins as a PNG does (Portable Network Graphics, by libpng).
namespace fansim::pictures {

bool is_png(std::string_view file);

// Decodes gray and colour pictures, interlaced or not. A palette becomes colour, and fewer than 8 bits become 8. Gamma
// and colour spaces are ignored: samples are numbers. Throws UserError without the file's name.
Picture decode_png(std::string_view file, std::int64_t most_pixels);

std::string encode_png(const Picture& picture);  // for a maxval of 255 or 65535

}  // namespace fansim::pictures
