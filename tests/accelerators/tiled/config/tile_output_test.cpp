// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/tile_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "arith/requantise.h"
#include "base/random.h"

namespace fansim::tile_output_test {

namespace {

constexpr std::uint64_t kSeed = 23;

struct Case {
  tiled::TiledJob job;
  arith::QuantiserFormat format;
  int bits = 8;
  tiled::LookUp look_up;
  tiled::ChannelParameters channel;

  explicit Case(base::Random& random) {
    const bool looks_up = random.chance(30);
    bits = looks_up ? 8 : random.uniform(1, 16);
    job.instruction.type =
        (random.chance(50) ? tiled::Instruction::kRelu : 0) | (looks_up ? tiled::Instruction::kTable : 0);
    job.out_unsigned = random.uniform(0, 1);
    job.out_zero = zero(random, job.out_unsigned != 0);
    for (std::uint8_t& entry : look_up.table) entry = static_cast<std::uint8_t>(random.uniform(0, 255));
    look_up.is_unsigned = random.uniform(0, 1);
    look_up.zero_point = zero(random, look_up.is_unsigned != 0);
    format.accumulator_bits = random.uniform(8, 48);
    format.operand_bits = random.uniform(8, 48);
    if (random.chance(30)) format.rounding = arith::Rounding::truncate;
    channel.bias = random.uniform(-1000000, 1000000) * std::int64_t{random.uniform(1, 1 << 16)};
    channel.scale = static_cast<std::int16_t>(random.uniform(1, 32767) >> random.uniform(0, 14));
    channel.shift = static_cast<std::uint8_t>(random.chance(10) ? 0 : random.uniform(0, 31));
  }
  int zero(base::Random& random, bool is_unsigned) const {
    return is_unsigned ? random.uniform(0, (1 << bits) - 1) : random.uniform(-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
  }

  // Computes by the rules of arith, one operation after another.
  int expected(std::int64_t sum) const {
    const bool looks_up = job.instruction.looks_up();
    const int zero_point = looks_up ? look_up.zero_point : job.out_zero;
    const bool is_unsigned = (looks_up ? look_up.is_unsigned : job.out_unsigned) != 0;
    int code =
        arith::requantise(sum + channel.bias, {channel.scale, channel.shift, zero_point, is_unsigned, bits}, format);
    if (job.instruction.relu()) code = std::max(code, zero_point);
    if (!looks_up) return static_cast<std::int16_t>(code);
    const std::uint8_t entry = look_up.table[static_cast<std::uint8_t>(code)];
    return job.out_unsigned != 0 ? entry : static_cast<std::int8_t>(entry);
  }
};

// Draws sums of every size.
std::int64_t random_sum(base::Random& random) {
  return static_cast<std::int64_t>(random.next()) >> random.uniform(16, 63);
}

}  // namespace

TEST_CASE("sums of a channel become what each becomes by the rules of the quantiser for any number at once") {
  base::Random random(kSeed);
  for (int n = 0; n < 2000; ++n) {
    const Case c(random);
    INFO(fmt::format("seed {}, case {}", kSeed, n));
    const tiled::TileOutput output(c.job, c.format, c.bits, c.look_up);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(random.uniform(0, 70)));
    std::vector<std::int16_t> expected;
    arith::Saturation seen, all;
    for (std::int64_t& sum : sums) {
      sum = random_sum(random);
      expected.push_back(static_cast<std::int16_t>(c.expected(sum)));
      REQUIRE(output.value(sum, c.channel, all) == expected.back());
    }
    std::vector<std::int16_t> values(sums.size());
    output.values(sums.data(), static_cast<int>(sums.size()), c.channel, values.data(), seen);
    REQUIRE(values == expected);
    REQUIRE(arith::text(seen) == arith::text(all));
  }
}

TEST_CASE("a code between two of a channel's is rounded half up and saturates at both ends") {
  tiled::TiledJob job;
  job.out_zero = 3;
  const tiled::LookUp none;
  const tiled::TileOutput output(job, {}, 4, none);
  tiled::ChannelParameters channel;
  channel.scale = 1;
  channel.shift = 1;
  channel.bias = -2;
  const std::vector<std::int64_t> sums{2, 3, 5, 100, 1, 0, -100};  // halves of 0, 1, 3, 98, -1, -2, -102
  std::vector<std::int16_t> values(sums.size());
  arith::Saturation seen;
  output.values(sums.data(), static_cast<int>(sums.size()), channel, values.data(), seen);
  CHECK(seen.output == arith::Beyond{2, 45});  // 52 and -48 of -8 to 7
  CHECK(seen.changed == 0);
  CHECK(values == std::vector<std::int16_t>{3, 4, 5, 7, 3, 2, -8});
}

}  // namespace fansim::tile_output_test
