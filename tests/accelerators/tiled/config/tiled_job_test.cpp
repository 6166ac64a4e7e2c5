// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/tiled_job.h"

#include <catch2/catch.hpp>

#include "base/random.h"

namespace fansim::tiled_job_test {

using tiled::decode;
using tiled::encode;
using tiled::Instruction;
using tiled::print;
using tiled::TiledJob;

namespace {

// Every field takes a random value that its bits hold.
struct Randomise {
  base::Random& random;
  void bits(const char*, int& value, int, int, int width, const char*) {
    value = random.uniform(0, width >= 31 ? 0x7fffffff : (1 << width) - 1);
  }
  void number(const char*, int& value, int, int, int width, const char*) {
    value = random.uniform(-(1 << (width - 1)), (1 << (width - 1)) - 1);
  }
  void address(const char*, std::uint32_t& value, int, const char*) {
    value = static_cast<std::uint32_t>(random.next());
  }
};

// Marks the bits of the words that each field takes.
struct Claims {
  tiled::JobImage taken{};
  bool disjoint = true;
  void claim(int word, std::uint32_t mask) {
    disjoint = disjoint && (taken.at(static_cast<std::size_t>(word)) & mask) == 0;
    taken.at(static_cast<std::size_t>(word)) |= mask;
  }
  void bits(const char*, int, int word, int low, int width, const char*) { claim(word, ((1U << width) - 1) << low); }
  void number(const char*, int, int word, int low, int width, const char*) { claim(word, ((1U << width) - 1) << low); }
  void address(const char*, std::uint32_t, int word, const char*) { claim(word, ~0U); }
};

}  // namespace

TEST_CASE("AlexNet's conv4 is the instruction that FAQ-CNN prints") {
  const Instruction conv4{384, 384, 13, 13, 3, 1, 1, Instruction::kRelu};
  CHECK(print(conv4) == "(384,384,13,13,3,1,1,1)");
}

TEST_CASE("a job survives its registers whatever its fields hold") {
  const std::uint64_t seed = 5;
  INFO("seed " << seed);
  base::Random random(seed);
  for (int i = 0; i < 200; ++i) {
    TiledJob job;
    Randomise randomise{random};
    job.instruction.visit(randomise);
    job.visit(randomise);
    const tiled::JobImage image = encode(job);
    CHECK(encode(decode(image)) == image);
    CHECK(print(decode(image)) == print(job));
  }
}

TEST_CASE("no two fields share a bit and the start register lies behind them all") {
  Claims claims;
  TiledJob job;
  job.instruction.visit(claims);
  job.visit(claims);
  CHECK(claims.disjoint);
  CHECK(TiledJob::kStart / 4 >= claims.taken.size());
}

TEST_CASE("a field too large for its bits is not written") {
  TiledJob job;
  job.instruction.in_channels = 1 << 16;
  CHECK_THROWS_WITH(encode(job), Catch::Contains("in_channels = 65536 does not fit 16 bits"));
  job.instruction.in_channels = 3;
  job.pool_kernel = -1;
  CHECK_THROWS_WITH(encode(job), Catch::Contains("pool_kernel"));
}

TEST_CASE("a printed job names what differs from an idle one") {
  TiledJob job;
  job.instruction = {3, 8, 5, 5, 3, 1, 1, Instruction::kRelu + Instruction::kPool};
  job.in_zero = -3;
  job.output_address = 0x1000;
  CHECK(print(job) == "(3,8,5,5,3,1,1,3) output_address=0x1000 in_zero=-3");
}

}  // namespace fansim::tiled_job_test
