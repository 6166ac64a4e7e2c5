// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pictures/picture.h"

// Netpbm's portable anymaps.
namespace fansim::pictures {

bool is_pnm(std::string_view file);

// PGM and PPM, plain (P2, P3) and raw (P5, P6), one picture to a file. UserError without the file's name.
Picture decode_pnm(std::string_view file, std::int64_t most_pixels);

std::string encode_pnm(const Picture& picture);  // raw

}  // namespace fansim::pictures
