// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/values/run_codes.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "accelerators/tiled/config/packing.h"
#include "base/random.h"

namespace fansim::run_codes_test {

namespace {

constexpr std::uint64_t kSeed = 17;
constexpr std::uint32_t kBase = 64;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::vector<std::uint16_t> random_codes(base::Random& random, int values, int bits) {
  std::vector<std::uint16_t> codes(at(values));
  for (std::uint16_t& code : codes) code = static_cast<std::uint16_t>(random.uniform(0, (1 << bits) - 1));
  return codes;
}

tiled::Encoding random_encoding(base::Random& random) {
  const int bits = random.uniform(1, 16), beat = 1 << random.uniform(bits > 8 ? 4 : 3, 9);
  return tiled::graded(bits, random.chance(50) ? std::min(32, beat) : beat, beat, random.chance(60));
}

}  // namespace

TEST_CASE("an array written in runs is the packed array and reads back from any value on") {
  base::Random random(kSeed);
  for (int i = 0; i < 500; ++i) {
    const tiled::Encoding e = random_encoding(random);
    const int values = random.uniform(1, 300);
    INFO(fmt::format("seed {}, case {}: {} codes of {} bits in {}, words of {}, beats of {}", kSeed, i, values,
                     e.value_bits, e.slot_bits, e.word_bits, e.beat_bits));
    const std::vector<std::uint16_t> codes = random_codes(random, values, e.value_bits);
    const std::vector<std::uint8_t> packed = tiled::pack(codes, e);
    std::vector<std::uint8_t> memory(kBase + packed.size() + kBase);
    for (int first = 0; first < values;) {
      // Runs begin at words, so none begins inside a byte.
      const int count = std::min(values - first, random.uniform(1, 6) * e.per_word());
      tiled::write_codes(&codes[at(first)], tiled::run_of(kBase, first, count, e), e, memory.data());
      first += count;
    }
    std::vector<std::uint8_t> expected(memory.size());
    std::copy(packed.begin(), packed.end(), expected.begin() + kBase);
    REQUIRE(memory == expected);

    const int from = random.uniform(0, values - 1);
    std::vector<std::uint16_t> read(at(values - from));
    tiled::read_codes(memory.data(), tiled::run_of(kBase, from, values - from, e), e, read.data());
    REQUIRE(read == std::vector<std::uint16_t>(codes.begin() + from, codes.end()));
  }
}

TEST_CASE("what lies beside a run stays but for the rest of the byte in which it ends") {
  const tiled::Encoding e = tiled::graded(3, 32, 64, true);  // ten codes and two idle bits a word
  std::vector<std::uint8_t> memory(8, 0xff);
  const std::vector<std::uint16_t> codes{1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3};
  tiled::write_codes(codes.data(), tiled::run_of(0, 0, 11, e), e, memory.data());
  // 2 1 0 7 6 5 4 3 2 1 from the highest code on is 010 001 000 111 110 101 100 011 010 001; then 011 of the next word.
  CHECK(memory == std::vector<std::uint8_t>{0xd1, 0x58, 0x1f, 0x11, 0x03, 0xff, 0xff, 0xff});
}

TEST_CASE("a run of weights goes where its scatter says with each row from a beat on") {
  const tiled::Encoding e = tiled::width_independent(5, 32, true);  // six codes a beat
  base::Random random(kSeed);
  const std::vector<std::uint16_t> codes = random_codes(random, 16, 5);
  std::vector<std::uint8_t> memory;
  for (int row = 0; row < 2; ++row) {
    const std::vector<std::uint8_t> one = tiled::pack({codes.begin() + 8 * row, codes.begin() + 8 * row + 8}, e);
    memory.insert(memory.end(), one.begin(), one.end());
  }
  std::vector<std::uint16_t> tile(16);
  tiled::WeightExtent rows;
  rows.run = {0, 4, 0, 16, true};
  rows.row = 8;
  tiled::read_codes(memory.data(), rows, e, tile);
  CHECK(tile == codes);

  tiled::WeightExtent channel;
  channel.run = {0, 2, 0, 8, true};
  channel.row = 8;
  channel.scatter = {1, 4, 6, 2};  // [2][4] to 1 + 6 k + 2 ti
  tile.assign(24, 99);
  tiled::read_codes(memory.data(), channel, e, tile);
  for (int value = 0; value < 8; ++value) CHECK(tile[at(channel.scatter.index(value))] == codes[at(value)]);
  CHECK(std::count(tile.begin(), tile.end(), 99) == 16);
}

}  // namespace fansim::run_codes_test
