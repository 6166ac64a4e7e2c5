// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "base/error.h"

namespace fansim::pictures {

// Throws UserError if no picture has that size, or if it is not allowed.
inline void check_size(std::int64_t width, std::int64_t height, std::int64_t most_pixels) {
  if (width < 1 || height < 1) throw base::UserError(fmt::format("has {} x {} pixels: none", width, height));
  if (width > most_pixels / height)
    throw base::UserError(fmt::format("has {} x {} pixels; allowed: {} in all", width, height, most_pixels));
}

}  // namespace fansim::pictures
