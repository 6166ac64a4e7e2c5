// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/reorganise.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "accelerators/tiled/config/weight_runs.h"
#include "support/encoded.h"

namespace fansim::reorganise_test {

namespace {

tiled::EngineConfig engine_of(int tm, int tn) {
  tiled::EngineConfig engine;
  engine.tm = tm;
  engine.tn = tn;
  return engine;
}

tiled::TiledJob convolution(int in, int out, int kernel) {
  tiled::TiledJob job;
  job.instruction.in_channels = in;
  job.instruction.out_channels = out;
  job.instruction.height = job.instruction.width = 13;
  job.instruction.kernel = kernel;
  return job;
}

tiled::TiledJob fully_connected(int in, int out, int steps, int groups, int block) {
  tiled::TiledJob job = convolution(in, out, 1);
  job.engine = tiled::Config::kFc;
  job.instruction.height = job.instruction.width = 1;
  job.instruction.type = tiled::Instruction::kFc;
  job.fc_steps = steps;
  job.fc_groups = groups;
  job.fc_block = block;
  return job;
}

// Writes the image over bytes that are not zero.
std::vector<std::uint8_t> image_of(const std::vector<std::uint16_t>& codes, const tiled::TiledJob& job,
                                   const tiled::EngineConfig& engine, const tiled::Encoding& e, bool reorganised) {
  const bool two = e.value_bits > 8;
  std::vector<std::int8_t> bytes;
  for (const std::uint16_t code : codes) {
    bytes.push_back(static_cast<std::int8_t>(code));
    if (two) bytes.push_back(static_cast<std::int8_t>(code >> 8));
  }
  std::vector<std::uint8_t> image(static_cast<std::size_t>(tiled::WeightExtents(job, engine, e, reorganised).bytes()),
                                  0xA5);
  tiled::weight_image({bytes.data(), two}, job, engine, e, reorganised, image.data());
  return image;
}

// Reads an image beat by beat, value by value.
struct Reader {
  const std::vector<std::uint8_t>& bytes;
  const tiled::Encoding& e;
  const std::vector<int> places = test::places(e);
  std::size_t beat = 0, in_beat = 0;
  std::uint16_t next() {
    const std::uint8_t* from = &bytes[beat * static_cast<std::size_t>(e.beat_bytes())];
    const std::uint16_t code = test::bits_of(from, places[in_beat], e.value_bits);
    if (++in_beat == places.size()) end_row();
    return code;
  }
  void end_row() {
    beat += in_beat > 0;
    in_beat = 0;
  }
};

}  // namespace

TEST_CASE(
    "a reorganised convolution lies tile by tile and kernel position by position with outputs in rows per input") {
  base::Random random(6);
  for (const tiled::Encoding& e : test::encodings()) {
    const int in = random.uniform(1, 20), out = random.uniform(1, 40), kernel = random.uniform(1, 3);
    const int tm = random.uniform(1, 17), tn = random.uniform(1, 7), steps = kernel * kernel;
    INFO(fmt::format("{} -> {} channels, kernel {}, tm {}, tn {}, l {}, h {}", in, out, kernel, tm, tn, e.value_bits,
                     e.beat_bits));
    const std::vector<std::uint16_t> codes =
        test::random_codes(static_cast<std::size_t>(in * out * steps), e.value_bits, random);
    const std::vector<std::uint8_t> image = image_of(codes, convolution(in, out, kernel), engine_of(tm, tn), e, true);
    Reader reader{image, e};
    for (int m = 0; m < out; m += tm)
      for (int n = 0; n < in; n += tn)
        for (int k = 0; k < steps; ++k)
          for (int i = n; i < n + tn; ++i) {
            for (int o = m; o < m + tm; ++o) {
              const bool exists = o < out && i < in;
              REQUIRE(reader.next() == (exists ? codes[static_cast<std::size_t>((o * in + i) * steps + k)] : 0));
            }
            reader.end_row();
          }
    REQUIRE(reader.beat * static_cast<std::size_t>(e.beat_bytes()) == image.size());
  }
}

TEST_CASE("a layer that several threads lay out lies as a small one does") {
  base::Random random(9);
  const tiled::Encoding e = tiled::width_independent(8, 256, true);
  constexpr int kIn = 1100, kOut = 1000, kTm = 64, kTn = 24;
  const std::vector<std::uint16_t> codes = test::random_codes(std::size_t{kIn} * kOut, 8, random);
  const std::vector<std::uint8_t> image = image_of(codes, convolution(kIn, kOut, 1), engine_of(kTm, kTn), e, true);
  REQUIRE(image.size() > std::size_t{1} << 20);
  Reader reader{image, e};
  for (int m = 0; m < kOut; m += kTm)
    for (int n = 0; n < kIn; n += kTn)
      for (int i = n; i < n + kTn; ++i) {
        for (int o = m; o < m + kTm; ++o) {
          const int wanted = o < kOut && i < kIn ? codes[static_cast<std::size_t>(o * kIn + i)] : 0;
          if (reader.next() != wanted) FAIL("output " << o << ", input " << i);
        }
        reader.end_row();
      }
}

TEST_CASE("a reorganised fully connected layer lies tile by tile in its order of use by steps and groups") {
  base::Random random(7);
  for (const tiled::Encoding& e : test::encodings()) {
    const int in = random.uniform(1, 70), out = random.uniform(1, 40), tm = random.uniform(1, 8);
    const int tn = random.uniform(1, 8), steps = random.uniform(1, 3), groups = random.uniform(1, 3);
    const int block = random.uniform(1, in + 10);
    INFO(fmt::format("{} -> {}, tm {}, tn {}, {} steps, {} groups, blocks of {}, l {}, h {}", in, out, tm, tn, steps,
                     groups, block, e.value_bits, e.beat_bits));
    const std::vector<std::uint16_t> codes =
        test::random_codes(static_cast<std::size_t>(in * out), e.value_bits, random);
    const std::vector<std::uint8_t> image =
        image_of(codes, fully_connected(in, out, steps, groups, block), engine_of(tm, tn), e, true);
    Reader reader{image, e};
    for (int b = 0; b < in; b += block) {
      const int end = std::min(in, b + block);
      for (int m = 0; m < out; m += groups * tm)
        for (int n = b; n < end; n += steps * tn) {
          for (int j = 0; j < steps; ++j)
            for (int g = 0; g < groups; ++g)
              for (int ti = 0; ti < tn; ++ti)
                for (int to = 0; to < tm; ++to) {
                  const int o = m + g * tm + to, i = n + j * tn + ti;
                  REQUIRE(reader.next() == (o < out && i < end ? codes[static_cast<std::size_t>(o * in + i)] : 0));
                }
          reader.end_row();
        }
    }
    REQUIRE(reader.beat * static_cast<std::size_t>(e.beat_bytes()) == image.size());
  }
}

TEST_CASE("every weight run of a reorganised layer lies within its image one behind the other") {
  const tiled::Encoding e = tiled::width_independent(3, 64, true);
  const std::vector<tiled::TiledJob> jobs{convolution(50, 30, 3), fully_connected(100, 30, 3, 2, 45)};
  for (const tiled::TiledJob& job : jobs) {
    const tiled::EngineConfig engine = engine_of(8, 6);
    const tiled::WeightExtents weights(job, engine, e, true);
    const tiled::TileNest nest(job, engine);
    std::vector<tiled::WeightTile> tiles;
    if (nest.fc_engine()) {
      for (int block = 0; block < nest.fc_blocks(); ++block)
        for (int m = 0; m < nest.fc_m_tiles(); ++m)
          for (int k = 0; k < nest.fc_k_tiles(block); ++k) tiles.push_back(weights.fc_tile(block, m, k));
    } else {
      for (int m = 0; m < nest.m_tiles(); ++m)
        for (int n = 0; n < nest.n_tiles(); ++n) tiles.push_back(weights.conv_tile(m, n));
    }
    REQUIRE(static_cast<std::int64_t>(tiles.size()) == weights.tiles());
    std::uint32_t address = 0;
    for (const tiled::WeightTile& tile : tiles) {
      REQUIRE(weights.count(tile) == 1);
      const tiled::WeightExtent run = weights.run(tile, 0);
      REQUIRE(run.run.address == address);
      REQUIRE(tiled::whole(run, e));
      REQUIRE(run.run.last);
      address += static_cast<std::uint32_t>(run.run.beats * e.beat_bytes());
    }
    CHECK(weights.bytes() == address);
  }
}

TEST_CASE("a weight tile of the published engine is a burst of 27 KiB and one of AlexNet's second layer is of 75 KiB") {
  const tiled::Encoding e = tiled::width_independent(8, 256, true);
  const auto bytes = [&](int in, int out, int kernel) {
    const tiled::WeightExtents weights(convolution(in, out, kernel), engine_of(128, 24), e, true);
    return weights.run(weights.conv_tile(0, 0), 0).run.beats * e.beat_bytes();
  };
  CHECK(bytes(384, 384, 3) == 27'648);
  CHECK(bytes(96, 256, 5) == 76'800);
}

TEST_CASE("weights that are not reorganised lie in natural order with a run per output channel of a tile") {
  base::Random random(8);
  const tiled::Encoding e = tiled::width_independent(3, 32, true);
  const tiled::TiledJob job = convolution(10, 7, 3);
  const std::vector<std::uint16_t> codes = test::random_codes(10 * 7 * 9, 3, random);
  const std::vector<std::uint8_t> image = image_of(codes, job, engine_of(4, 6), e, false);
  Reader reader{image, e};
  for (const std::uint16_t code : codes) REQUIRE(reader.next() == code);
  const tiled::WeightExtents weights(job, engine_of(4, 6), e, false);
  const tiled::WeightTile tile = weights.conv_tile(1, 1);
  REQUIRE(weights.count(tile) == 3);
  for (int i = 0; i < 3; ++i) {
    const tiled::WeightExtent run = weights.run(tile, i);
    const int first = ((4 + i) * 10 + 6) * 9;
    CHECK(run.run.values == 4 * 9);
    CHECK(run.run.address == static_cast<std::uint32_t>(first / 10 * 4));
    CHECK(run.run.skip == first % 10);
    CHECK(run.run.last == (i == 2));
    CHECK(tiled::whole(run, e));
  }
}

}  // namespace fansim::reorganise_test
