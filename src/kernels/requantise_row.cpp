// SPDX-License-Identifier: Apache-2.0
#include "kernels/requantise_row.h"

#include <algorithm>
#include <cstring>

#include "kernels/vector.h"

namespace fansim::kernels {

// The output bytes may alias anything, so `given` is copied first.
FANSIM_CLONES void requantise_row(const RequantiseRow& given, const arith::QuantiserFormat& format) {
  const RequantiseRow row = given;
  const int unused = 32 - format.accumulator_bits;
  const std::int32_t most = (1 << (format.operand_bits - 1)) - 1, least = -most - 1;
  const std::int32_t highest = row.is_unsigned ? 255 : 127;
  const std::int32_t lowest = std::max(row.is_unsigned ? 0 : -128, row.lowest);
  std::int32_t half[kChannels];
  for (int c = 0; c < kChannels; ++c)
    half[c] = format.rounding == arith::Rounding::half_up && row.shift[c] > 0 ? 1 << (row.shift[c] - 1) : 0;
  for (int w = 0; w < row.windows; ++w) {
    const std::int32_t* sums = row.sums + w * row.sum_step;
    std::uint8_t bytes[kChannels];
    for (int c = 0; c < kChannels; ++c) {
      const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[c]) << unused);
      const std::int32_t sum = std::min(std::max(low >> unused, least), most);
      const std::int32_t value = row.zero_point + ((sum * row.scale[c] + half[c]) >> row.shift[c]);
      bytes[c] = static_cast<std::uint8_t>(std::min(std::max(value, lowest), highest));
    }
    std::uint8_t* to = row.bytes + w * row.byte_step;
    if (row.channels == kChannels)
      std::memcpy(to, bytes, kChannels);  // a constant size needs no call
    else
      std::memcpy(to, bytes, static_cast<std::size_t>(row.channels));
  }
}

}  // namespace fansim::kernels
