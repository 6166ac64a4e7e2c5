// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/map_runs.h"

#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"

namespace fansim::map_runs_test {

namespace {

// Holds a map with random pitches, and a region of it.
struct Case {
  tiled::MapPlace place;
  tiled::Encoding encoding;
  tiled::Region region;
  int first = 0, channels = 0;
};

Case random_case(base::Random& random) {
  Case c;
  const int bits[] = {1, 2, 3, 5, 8, 16};
  const int beat = 32 << random.uniform(0, 3);
  c.encoding = tiled::graded(bits[random.uniform(0, 5)], 32, beat, random.chance(70));
  tiled::MapPlace& p = c.place;
  p.address = 4096;
  p.first = random.uniform(0, 3);
  p.channels = random.uniform(1, 12);
  p.rows = random.uniform(1, 6);
  p.columns = random.uniform(1, 9);
  p.block_channels = random.uniform(1, 6);
  p.row = p.columns + (random.chance(50) ? 0 : random.uniform(1, 3));
  p.plane = p.row * p.rows + (random.chance(50) ? 0 : random.uniform(1, 5));
  p.block_bytes = static_cast<int>(base::round_up(c.encoding.beats(p.block_channels * p.plane) * beat / 8, 64L));
  c.first = random.uniform(0, p.channels - 1);
  c.channels = random.uniform(1, p.channels - c.first);
  const bool whole = random.chance(40);
  c.region.row = whole ? 0 : random.uniform(0, p.rows - 1);
  c.region.column = whole ? 0 : random.uniform(0, p.columns - 1);
  c.region.rows = whole ? p.rows : random.uniform(1, p.rows - c.region.row);
  c.region.columns = whole ? p.columns : random.uniform(1, p.columns - c.region.column);
  return c;
}

// Returns the number of the bit where value i of a beat at `address` begins.
std::int64_t bit(std::uint32_t address, std::int64_t i, const tiled::Encoding& e) {
  return (address + i / e.per_beat() * e.beat_bytes()) * 8 + e.bit_of(static_cast<int>(i % e.per_beat()));
}

}  // namespace

TEST_CASE("the runs of a region are its values one after the other wherever they lie") {
  const std::uint64_t seed = 9;
  INFO("seed " << seed);
  base::Random random(seed);
  for (int n = 0; n < 2000; ++n) {
    const Case c = random_case(random);
    std::vector<std::int64_t> wanted, found;
    for (int channel = c.first; channel < c.first + c.channels; ++channel)
      for (int y = 0; y < c.region.rows; ++y)
        for (int x = 0; x < c.region.columns; ++x)
          wanted.push_back(
              bit(c.place.block(channel), c.place.index(channel, c.region.row + y, c.region.column + x), c.encoding));
    tiled::MapExtents runs(c.place, c.encoding, c.first, c.channels, c.region);
    while (!runs.done()) {
      const tiled::Extent run = runs.next();
      CHECK(run.address % static_cast<unsigned>(c.encoding.beat_bytes()) == 0);
      CHECK(run.beats == c.encoding.beats(run.skip + run.values));
      CHECK(run.skip < c.encoding.per_beat());
      CHECK(run.last == runs.done());
      for (int i = 0; i < run.values; ++i) found.push_back(bit(run.address, run.skip + i, c.encoding));
    }
    REQUIRE(found == wanted);
  }
}

TEST_CASE("a tile of whole channels of one block is one run") {
  // AlexNet's conv3 loads 24 channels of 13 x 13, which are 4,056 bytes or 1,014 beats of 32 bits.
  const tiled::Encoding encoding = tiled::graded(8, 32, 32, true);
  const tiled::MapPlace place{0, 256, 13, 13, 24, 4096, 169, 13};
  tiled::MapExtents runs(place, encoding, 24, 24, {0, 0, 13, 13});
  const tiled::Extent run = runs.next();
  CHECK(runs.done());
  CHECK(run.address == 4096);
  CHECK(run.beats == 1014);
  CHECK(run.values == 4056);
}

}  // namespace fansim::map_runs_test
