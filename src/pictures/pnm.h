// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pictures/picture.h"

// Returns whether the file begins as one of Netpbm's portable anymaps does.
namespace fansim::pictures {

bool is_pnm(std::string_view file);

// Decodes PGM and PPM, plain (P2, P3) and raw (P5, P6), one picture per file. Throws UserError without the file's name.
Picture decode_pnm(std::string_view file, std::int64_t most_pixels);

std::string encode_pnm(const Picture& picture);  // raw format

}  // namespace fansim::pictures
