// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/encoded_map.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"
#include "base/units.h"
#include "support/encoded.h"

namespace fansim::encoded_map_test {

TEST_CASE("a map's values are those of its cells whatever its encoding and however it lies") {
  constexpr std::uint64_t kSeed = 29;
  base::Random random(kSeed);
  for (const tiled::Encoding& e : test::encodings()) {
    INFO(fmt::format("seed {}: {} bits in slots of {}, words of {}, beats of {}", kSeed, e.value_bits, e.slot_bits,
                     e.word_bits, e.beat_bits));
    tiled::EncodedMap map;
    map.encoding = e;
    map.is_unsigned = random.chance(50);
    tiled::MapPlace& place = map.place;
    place.channels = random.uniform(1, 5);
    place.rows = random.uniform(1, 6);
    place.columns = random.uniform(1, 40);
    place.block_channels = random.uniform(1, 3);
    place.row = place.columns + random.uniform(0, 3);
    place.plane = place.row * place.rows + random.uniform(0, 9);
    const std::int64_t beats = e.beats(std::int64_t{place.block_channels} * place.plane + e.per_beat());
    place.block_bytes = static_cast<int>(base::round_up(beats * e.beat_bytes(), std::int64_t{64}));
    place.first = random.uniform(0, 3);
    place.address = 64;
    std::vector<std::uint8_t> memory(static_cast<std::size_t>(64 + 9 * place.block_bytes));
    for (std::uint8_t& byte : memory) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
    std::vector<std::int32_t> cells;
    for (int channel = 0; channel < place.channels; ++channel)
      for (int y = 0; y < place.rows; ++y)
        for (int x = 0; x < place.columns; ++x) {
          if (random.chance(20)) map.set(memory.data(), channel, y, x, random.uniform(-3, 3));
          cells.push_back(map.value(memory.data(), channel, y, x));
        }
    REQUIRE(map.values(memory.data()) == cells);
  }
}

}  // namespace fansim::encoded_map_test
