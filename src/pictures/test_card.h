// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pictures/picture.h"

namespace fansim::pictures {

// Six fields in two rows, which show what a filter does: gradients across and down, edges that come ever less often, a
// checker board, circles, noise. The same on every machine; the seed is the noise's. The second channel is the negative
// of the first, the third half of it, except for the noise.
Picture test_card(int width, int height, int channels, int bits, std::uint64_t seed);

}  // namespace fansim::pictures
