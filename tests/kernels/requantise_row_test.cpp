// SPDX-License-Identifier: Apache-2.0
#include "kernels/requantise_row.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "arith/requantise.h"
#include "base/random.h"

namespace fansim::requantise_row_test {

TEST_CASE("a row of sums is requantised and what saturates is counted as each of them is by itself") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    const arith::QuantiserFormat format{random.uniform(8, 32), random.uniform(8, 16),
                                        random.chance(50) ? arith::Rounding::half_up : arith::Rounding::truncate};
    REQUIRE(kernels::fits(format));
    kernels::RequantiseRow row;
    row.windows = random.uniform(0, 40);
    row.channels = random.uniform(1, kernels::kChannels);
    row.sum_step = kernels::kChannels + random.uniform(0, 8);
    row.byte_step = row.channels + random.uniform(0, 3);
    row.is_unsigned = random.chance(50);
    row.zero_point = row.is_unsigned ? random.uniform(0, 255) : random.uniform(-128, 127);
    row.relu = random.chance(50);
    row.lowest = row.relu ? row.zero_point : -128;
    for (int c = 0; c < kernels::kChannels; ++c) {
      row.scale[c] = random.chance(20) ? 32767 : random.uniform(1, 32767);
      row.shift[c] = random.uniform(0, 31);
    }
    std::vector<std::int32_t> sums(static_cast<std::size_t>(row.windows * row.sum_step + kernels::kChannels));
    const int most = random.chance(50) ? INT32_MAX : 1 << random.uniform(1, 30);
    for (std::int32_t& sum : sums)
      sum = random.chance(5) ? INT32_MIN : random.chance(5) ? INT32_MAX : random.uniform(-most, most);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(row.windows * row.byte_step + 1), 0xaa);
    row.sums = sums.data();
    row.bytes = bytes.data();

    std::vector<std::uint8_t> expected = bytes;
    arith::Saturation seen, all;
    for (int w = 0; w < row.windows; ++w) {
      for (int c = 0; c < row.channels; ++c) {
        const arith::Requantise q{row.scale[c], row.shift[c], row.zero_point, row.is_unsigned};
        const std::int32_t sum = sums[static_cast<std::size_t>(w * row.sum_step + c)];
        const int value = std::max(arith::requantise(sum, q, format), row.lowest);
        arith::count(sum, q, format, row.relu, all);
        expected[static_cast<std::size_t>(w * row.byte_step + c)] = static_cast<std::uint8_t>(value);
      }
    }
    kernels::requantise_row(row, format, seen);
    REQUIRE(bytes == expected);
    REQUIRE(arith::text(seen) == arith::text(all));
  }
}

}  // namespace fansim::requantise_row_test
