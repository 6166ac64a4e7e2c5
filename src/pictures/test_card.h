// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pictures/picture.h"

namespace fansim::pictures {

// Draws six fields in two rows, which show what a filter does: gradients across and down, edges that become rarer, a
// checker board, circles, noise. It is the same on every machine; the seed determines the noise only. The second
// channel is the negative of the first and the third is half of it, except for the noise.
Picture test_card(int width, int height, int channels, int bits, std::uint64_t seed);

}  // namespace fansim::pictures
