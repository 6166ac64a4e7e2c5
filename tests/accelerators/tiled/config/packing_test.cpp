// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/packing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <catch2/catch.hpp>

#include "accelerators/tiled/config/tiled_runs.h"
#include "support/encoded.h"

namespace fansim::packing_test {

namespace {

std::string name_of(const tiled::Encoding& e) {
  return fmt::format("l {} in slots of {}, q {}, h {}", e.value_bits, e.slot_bits, e.word_bits, e.beat_bits);
}

std::vector<std::uint8_t> random_beat(base::Random& random) {
  std::vector<std::uint8_t> beat(64);
  for (std::uint8_t& byte : beat) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
  return beat;
}

}  // namespace

TEST_CASE("an encoding places every value where filling words and beats one by one places it") {
  for (const tiled::Encoding& e : test::encodings()) {
    INFO(name_of(e));
    const std::vector<int> places = test::places(e);
    REQUIRE(e.per_beat() == static_cast<int>(places.size()));
    for (int i = 0; i < e.per_beat(); ++i) REQUIRE(e.bit_of(i) == places[static_cast<std::size_t>(i)]);
  }
}

TEST_CASE(
    "three bits in graded beats of 64 leave two of every word zero while ten independent of the width leave four") {
  const std::vector<std::uint16_t> ones(21, 7);
  CHECK(tiled::pack(ones, tiled::graded(3, 32, 64, true)) ==
        std::vector<std::uint8_t>{255, 255, 255, 63, 255, 255, 255, 63, 7, 0, 0, 0, 0, 0, 0, 0});
  CHECK(tiled::pack(ones, tiled::width_independent(3, 64, true)) ==
        std::vector<std::uint8_t>{255, 255, 255, 255, 255, 255, 255, 127});
  CHECK(tiled::pack(std::vector<std::uint16_t>(6, 1023), tiled::width_independent(10, 64, true)) ==
        std::vector<std::uint8_t>{255, 255, 255, 255, 255, 255, 255, 15});
}

TEST_CASE("values are taken from a beat and put into it without touching their neighbours") {
  constexpr std::uint64_t kSeed = 3;
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (const tiled::Encoding& e : test::encodings())
    for (int round = 0; round < 20; ++round) {
      INFO(name_of(e));
      const std::vector<int> places = test::places(e);
      const int first = random.uniform(0, e.per_beat() - 1), count = random.uniform(1, e.per_beat() - first);
      const std::vector<std::uint8_t> before = random_beat(random);
      std::vector<std::uint16_t> codes(static_cast<std::size_t>(count));
      tiled::unpack(before.data(), e, first, count, codes.data());
      std::vector<std::uint8_t> expected = before;
      std::uint64_t bytes = 0;
      const std::vector<std::uint16_t> put = test::random_codes(codes.size(), e.value_bits, random);
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const int bit = places[static_cast<std::size_t>(first) + i];
        REQUIRE(codes[i] == test::bits_of(before.data(), bit, e.value_bits));
        test::set_bits(expected.data(), bit, e.value_bits, put[i]);
        for (int b = bit; b < bit + e.slot_bits; ++b) bytes |= std::uint64_t{1} << b / 8;
      }
      std::vector<std::uint8_t> after = before;
      tiled::pack(put.data(), e, first, count, after.data());
      REQUIRE(after == expected);
      REQUIRE(tiled::strobe(e, first, count) == bytes);
    }
}

TEST_CASE("arrays survive packing and fill whole beats and nothing else") {
  base::Random random(4);
  for (const tiled::Encoding& e : test::encodings())
    for (int length : {1, 2, 7, 100, 1000}) {
      INFO(name_of(e));
      const std::vector<std::uint16_t> codes =
          test::random_codes(static_cast<std::size_t>(length), e.value_bits, random);
      const std::vector<std::uint8_t> bytes = tiled::pack(codes, e);
      REQUIRE(static_cast<std::int64_t>(bytes.size()) == e.beats(length) * e.beat_bytes());
      REQUIRE(tiled::unpack(bytes, e, length) == codes);
    }
}

TEST_CASE("codes extend to values by sign or by zero and values cut back to their codes") {
  CHECK(tiled::value_of(0b101, 3, false) == -3);
  CHECK(tiled::value_of(0b101, 3, true) == 5);
  CHECK(tiled::value_of(1, 1, false) == -1);
  for (int bits : {1, 3, 8, 16})
    for (int code = 0; code < 1 << bits; ++code)
      for (bool is_unsigned : {false, true}) {
        const std::int16_t value = tiled::value_of(static_cast<std::uint16_t>(code), bits, is_unsigned);
        REQUIRE(tiled::code_of(value, bits) == code);
        if (bits < 16) REQUIRE(value == (is_unsigned || code < 1 << (bits - 1) ? code : code - (1 << bits)));
      }
}

TEST_CASE("a run holds the values asked for and no beat more") {
  base::Random random(5);
  for (const tiled::Encoding& e : test::encodings())
    for (int round = 0; round < 20; ++round) {
      const int first = random.uniform(0, 3000), values = random.uniform(1, 500);
      const tiled::Extent run = tiled::run_of(640, first, values, e);
      INFO(name_of(e) << " first " << first << " values " << values);
      REQUIRE(run.address == 640U + static_cast<unsigned>(first / e.per_beat() * e.beat_bytes()));
      REQUIRE(run.skip == first % e.per_beat());
      REQUIRE(run.beats == (first + values - 1) / e.per_beat() - first / e.per_beat() + 1);
      REQUIRE(tiled::whole(run, e));
    }
}

TEST_CASE("a run writes the bytes in which its values have a bit") {
  base::Random random(6);
  for (const tiled::Encoding& e : test::encodings())
    for (int round = 0; round < 20; ++round) {
      const tiled::Extent run = tiled::run_of(640, random.uniform(0, 3000), random.uniform(1, 500), e);
      INFO(name_of(e) << " skip " << run.skip << " values " << run.values);
      std::size_t bytes = 0;
      for (int left = run.values, skip = run.skip; left > 0; skip = 0) {
        const int count = std::min(left, e.per_beat() - skip);
        bytes += std::bitset<64>(tiled::strobe(e, skip, count)).count();
        left -= count;
      }
      REQUIRE(tiled::strobed_bytes(e, run) == static_cast<std::int64_t>(bytes));
    }
}

}  // namespace fansim::packing_test
