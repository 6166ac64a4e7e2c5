// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/array_passes.h"
#include "accelerators/stream/hardware/mac_array.h"
#include "arith/lut_kernel.h"
#include "blocks/gpc.h"
#include "primitives/reconfigurable_table.h"

namespace fansim::lut_array_test {

using stream::MacArray;

using test::at;

namespace {

constexpr std::uint64_t kSeed = 51;
constexpr int kCols = 2, kRows = 2, kCi = 2, kCo = 2, kTaps = kCols * kRows * kCi;

stream::ArrayConfig array(stream::Multiplier multiplier, bool shadow = true) {
  stream::ArrayConfig config = test::array_of(kRows, kCols, kCi, kCo);
  config.multiplier = multiplier;
  config.shadow_luts = shadow;
  return config;
}

// Holds a weight's tables: two slices of six pairs of bits, whose contents are plain products.
class Cell {
 public:
  explicit Cell(bool shadow) : shadow_(shadow), pairs_(12, primitives::ReconfigurableTable(shadow)) {}

  void reload(int weight, bool is_signed) {
    for (int beat = 0; beat < arith::kReloadCycles; ++beat) {
      const int address = 15 - beat % 16;
      for (int slice = 0; slice < 2; ++slice) {
        const int factor = slice == 1 && is_signed && address >= 8 ? address - 16 : address;
        const unsigned word = static_cast<unsigned>(factor * weight) << (beat < 16 ? 0 : 1);
        for (int pair = 0; pair < 6; ++pair)
          pairs_[at(6 * slice + pair)].step({0, (word >> (2 * pair + 1) & 1) != 0, true, select_});
      }
    }
    select_ = shadow_ && !select_;
  }

  int look_up(int slice, int address) {
    int bits = 0;
    for (int pair = 0; pair < 6; ++pair) {
      const auto two = pairs_[at(6 * slice + pair)].step({address, false, false, select_});
      bits |= (two.even ? 1 : 0) << 2 * pair | (two.odd ? 2 : 0) << 2 * pair;
    }
    return bits - (bits >= 0x800 ? 0x1000 : 0);
  }

  // The lower slice gives the product's four lowest bits; a carry chain adds the rest.
  int product(int x) {
    const int low = look_up(0, x & 15), high = look_up(1, x >> 4 & 15);
    const auto sum = blocks::add_three(static_cast<std::uint64_t>(low >> 4) & 0xfff,
                                       static_cast<std::uint64_t>(high) & 0xfff, 0, 12);
    return static_cast<std::int16_t>(sum << 4 | (static_cast<unsigned>(low) & 15));
  }

 private:
  bool shadow_, select_ = false;
  std::vector<primitives::ReconfigurableTable> pairs_;
};

}  // namespace

TEST_CASE("an 8-bit LUT multiplier of 12 CFGLUT5s and a carry chain is exact over all operands") {
  for (const bool shadow : {false, true}) {
    Cell cell(shadow);
    int wrong = 0;
    for (int weight = -128; weight < 128; ++weight) {
      cell.reload(weight, true);
      for (int x = -128; x < 128; ++x) wrong += cell.product(x) != weight * x;
      cell.reload(weight, false);
      for (int x = 0; x < 256; ++x) wrong += cell.product(x) != static_cast<std::int16_t>(weight * x);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the tables of a tap row and the kernel's constant add up to the row's sum of int8 or of uint8") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (const int inputs : {1, 8, 24, 64}) {
    stream::ArrayConfig config = test::array_of(1, inputs > 8 ? inputs / 8 : 1, inputs > 8 ? 8 : inputs, 8);
    config.multiplier = stream::Multiplier::lut_kernel;
    const arith::LutKernel kernel(config.kernel().format);
    REQUIRE(kernel.format().inputs == inputs);
    for (const bool is_signed : {false, true}) {
      const int lowest = is_signed ? -128 : 0;
      for (int trial = 0; trial < 8; ++trial) {
        const bool ends = trial < 4;  // both ends of both ranges first; then values between
        std::int64_t exact = 0, heap = 0;
        for (int i = 0; i < inputs; ++i) {
          const int x = lowest + (ends ? 255 * (trial & 1) : random.uniform(0, 255));
          const int weight = ends ? (trial > 1 ? 127 : -128) : random.uniform(-128, 127);
          Cell cell(false);
          cell.reload(weight, is_signed);
          exact += std::int64_t{x} * weight;
          for (const int slice : {0, 1})
            heap += std::int64_t{(cell.look_up(slice, x >> 4 * slice & 15) & 0xfff) ^ 0x800} << 4 * slice;
        }
        REQUIRE(kernel.output(heap) == exact);
      }
    }
  }
}

TEST_CASE("the vectorised array equals an array of CFGLUT5s and every multiplier gives the same products") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Arrays arrays(bench);
  constexpr int kPasses = 5, kLength = 7;
  const test::Passes passes(array(stream::Multiplier::lut), kPasses, kLength, random);
  arrays.add(passes, array(stream::Multiplier::lut_reconfigurable));
  arrays.add(passes, array(stream::Multiplier::lut_reconfigurable, false));
  arrays.add(passes, array(stream::Multiplier::lut));
  arrays.add(passes, array(stream::Multiplier::lut_kernel));
  arrays.add(passes, array(stream::Multiplier::dsp48e2_dual_int8));
  arrays.lanes.run();
  std::vector<Cell> cells(at(kCo * kTaps), Cell(true));
  for (int k = 0; k < kPasses * kLength; ++k) {
    for (int o = 0; o < kCo; ++o) {
      for (int tap = 0; tap < kTaps; ++tap) {
        const int column = tap / (kRows * kCi), in_column = tap % (kRows * kCi);
        const std::uint8_t weight =
            passes.columns[at(k / kLength * kCols + column)].bytes[at(o * kRows * kCi + in_column)];
        Cell& cell = cells[at(o * kTaps + tap)];
        if (k % kLength == 0) cell.reload(static_cast<std::int8_t>(weight), true);
        const int product = cell.product(passes.windows[at(k)].taps[at(tap)]);
        for (std::size_t lane = 0; lane < arrays.lanes.size(); ++lane)
          REQUIRE(arrays.lanes[lane].sink.items()[at(k)].products[at(o * kernels::kLanes + tap)] == product);
      }
    }
  }
}

TEST_CASE("a weight change blinds an array without shadow tables for 32 cycles and one with them for none") {
  base::Random random(kSeed);
  test::Bench bench;
  test::Arrays arrays(bench);
  constexpr int kPasses = 6, kLength = 36;
  const test::Passes passes(array(stream::Multiplier::lut), kPasses, kLength, random);
  for (const bool shadow : {false, true})
    arrays.add(passes, array(stream::Multiplier::lut_reconfigurable, shadow)).source.not_before = {100};
  arrays.lanes.run();
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const std::vector<sim::Edge>& edges = arrays.lanes[lane].sink.edges();
    for (int pass = 1; pass < kPasses; ++pass)
      CHECK(edges[at(pass * kLength)] - edges[at(pass * kLength - 1)] - 1 == (lane == 0 ? 32 : 0));
    const MacArray& block = arrays.lanes[lane].block;
    CHECK(test::count(block, "reloads") == kPasses);
    CHECK(test::count(block, "reload_waits") == (lane == 0 ? 32 * kPasses : 0));
    CHECK(test::count(block, "weight_waits") == test::count(block, "reload_waits"));
  }
}

TEST_CASE("shadow tables give a pass every 32 cycles however short the passes are") {
  base::Random random(kSeed);
  test::Bench bench;
  test::Arrays arrays(bench);
  const test::Passes passes(array(stream::Multiplier::lut), 20, 3, random);
  arrays.add(passes, array(stream::Multiplier::lut_reconfigurable));
  arrays.lanes.run();
  const std::vector<sim::Edge>& edges = arrays.lanes[0].sink.edges();
  for (std::size_t k = 3; k < edges.size(); k += 3) CHECK(edges[k] - edges[k - 3] == 32);
}

TEST_CASE("random stalls change no product of reconfigurable tables") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Arrays arrays(bench);
  const test::Passes passes(array(stream::Multiplier::lut), 12, 9, random);
  for (const bool shadow : {false, true})
    for (const test::Stalls stalls : test::kStallGrid)
      arrays.add(passes, array(stream::Multiplier::lut_reconfigurable, shadow), stalls);
  arrays.lanes.run();
  for (std::size_t lane = 1; lane < arrays.lanes.size(); ++lane) {
    for (std::size_t k = 0; k < passes.windows.size(); ++k)
      for (int i = 0; i < kCo * kernels::kLanes; ++i)
        REQUIRE(arrays.lanes[lane].sink.items()[k].products[at(i)] == arrays.lanes[0].sink.items()[k].products[at(i)]);
    CHECK(test::count(arrays.lanes[lane].block, "reloads") == 12);
  }
}

}  // namespace fansim::lut_array_test
