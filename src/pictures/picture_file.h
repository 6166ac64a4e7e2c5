// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "pictures/picture.h"

namespace fansim::pictures {

constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;

// Its name ends in .pgm, .ppm or .png, in capitals too.
bool is_picture_name(const std::string& path);

// PGM, PPM or PNG, as the file's first bytes say. UserError if it cannot be read, is none of these, is damaged, has
// another size than its header says, is transparent or larger than allowed; the header says so before there is memory
// for samples.
Picture read_picture(const std::string& path, std::int64_t most_pixels = kMostPixels);

// UserError if a file of that name cannot hold such samples: .pgm has one channel, .ppm three, .png either but a maxval
// of 255 or 65535 only.
void check_picture_name(const std::string& path, int channels, int maxval);
// The same, and if it cannot be written.
void write_picture(const std::string& path, const Picture& picture);

}  // namespace fansim::pictures
