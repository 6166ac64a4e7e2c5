// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "pictures/picture.h"

namespace fansim::pictures {

constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;

// Returns whether the name ends in .pgm, .ppm or .png, in any case.
bool is_picture_name(const std::string& path);

// Reads PGM, PPM or PNG, as the file's first bytes say. Throws UserError if the file cannot be read, has none of these
// formats, is damaged, has another size than its header says, is transparent, or is larger than allowed. The size is
// checked before memory for samples is taken.
Picture read_picture(const std::string& path, std::int64_t most_pixels = kMostPixels);

// Throws UserError if a file of that name cannot hold such samples. A .pgm has one channel, a .ppm three; a .png has
// either, but a maxval of 255 or 65535 only.
void check_picture_name(const std::string& path, int channels, int maxval);
// Writes a picture. Throws UserError as above, and if the file cannot be written.
void write_picture(const std::string& path, const Picture& picture);

}  // namespace fansim::pictures
