// SPDX-License-Identifier: Apache-2.0
#include "estimate/bram.h"

#include <catch2/catch.hpp>

namespace fansim::bram_test {

using estimate::bram36;
using estimate::yosys_bram;
using estimate::yosys_bram36;

TEST_CASE("every aspect ratio of a RAMB36E2 is one block and of a RAMB18E2 half a block") {
  for (const auto& [width, depth] : {std::pair{36, 1024}, {18, 2048}, {9, 4096}, {4, 8192}, {2, 16384}}) {
    CAPTURE(width, depth);
    CHECK(bram36(width, depth) == 1);
    CHECK(bram36(width, depth / 2) == 0.5);
    CHECK(bram36(width / 2, depth) == 0.5);
    CHECK(bram36(width + 1, depth) > 1);
    CHECK(bram36(width, depth + 1) > 1);
  }
  CHECK(bram36(72, 512) == 1);
  CHECK(bram36(1, 32768) == 1);
  CHECK(bram36(1, 1) == 0.5);
  CHECK(bram36(8, 0) == 0);
}

TEST_CASE("a wide memory mixes aspect ratios where that takes fewer blocks") {
  CHECK(bram36(1536, 1024) == 43);    // 85 columns of 1K x 18 and one of 6 bits
  CHECK(bram36(1536, 1536) == 64.5);  // three times 43 of 512 x 36
  CHECK(bram36(160, 683) == 4.5);     // nine columns of 1K x 18
  CHECK(bram36(137, 512) == 2);
}

TEST_CASE("more bits never take fewer blocks") {
  for (int width = 1; width < 100; ++width) {
    for (int depth = 100; depth < 5000; depth += 700) {
      CAPTURE(width, depth);
      CHECK(bram36(width + 1, depth) >= bram36(width, depth));
      CHECK(bram36(width, depth + 700) >= bram36(width, depth));
      CHECK(bram36(width, depth) * 36864 >= width * depth);
    }
  }
}

TEST_CASE("Yosys's block RAM count follows its rule on memories synthesised one by one") {
  struct Memory {
    int width, depth;
    double blocks;
  };
  for (const Memory& m : {Memory{128, 3072, 11.5}, {64, 3072, 6},     {128, 2048, 7.5}, {128, 1024, 4},
                          {36, 512, 0.5},          {36, 600, 1},      {18, 700, 0.5},   {20, 2048, 1.5},
                          {160, 683, 4.5},         {8, 4096, 1},      {8, 4097, 1.5},   {1536, 1024, 43},
                          {576, 1536, 24},         {80, 2048, 4.5},   {128, 1500, 6},   {128, 2500, 9.5},
                          {64, 2304, 5},           {128, 6144, 22.5}, {512, 100, 7.5},  {1, 16384, 0.5},
                          {64, 24576, 48},         {2, 100, 0.5},     {10, 4160, 2.5},  {51, 3520, 6}}) {
    CAPTURE(m.width, m.depth);
    CHECK(yosys_bram36(m.width, m.depth) == m.blocks);
  }
}

TEST_CASE("Yosys puts block RAMs below one another where that and the choice among rows cost less") {
  struct Memory {
    int width, depth;
    double blocks;
    int rows;
  };
  for (const Memory& m : {Memory{10, 4160, 2.5, 1},
                          {11, 4160, 2.5, 5},
                          {256, 5568, 43.5, 3},
                          {64, 7168, 14, 7},
                          {64, 11264, 22, 11},
                          {64, 6656, 13, 13}}) {
    CAPTURE(m.width, m.depth);
    CHECK(yosys_bram(m.width, m.depth).bram36 == m.blocks);
    CHECK(yosys_bram(m.width, m.depth).rows == m.rows);
  }
}

}  // namespace fansim::bram_test
