// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_engine_rig.h"
#include "arith/requantise.h"
#include "primitives/dsp48e2.h"

// These tests compare one output channel of the vectorised engine with DSP48E2 slices: one for each product, and one
// that accumulates.
namespace fansim::tile_engine_slices_test {

using primitives::Dsp48e2;
using primitives::Dsp48e2Attributes;
using primitives::Dsp48e2Inputs;
using primitives::ones;
using test::EngineLane;
using test::EngineWork;

namespace {

constexpr std::uint64_t kSeed = 75;
constexpr int kLanes = 6;

using test::at;
std::uint64_t bits(std::int64_t value, int width) { return static_cast<std::uint64_t>(value) & ones(width); }

Dsp48e2Attributes attributes(int creg) {
  Dsp48e2Attributes a;
  a.alumodereg = a.carryinreg = a.carryinselreg = a.inmodereg = a.opmodereg = 0;
  a.creg = creg;
  return a;
}

std::int64_t p_of(const primitives::Dsp48e2Outputs& out) {
  return arith::wrap(static_cast<std::int64_t>(out.p.value), 48);
}

// Has registers A and B, M, P, so a product is in P after the third edge.
class Multiplier {
 public:
  std::int64_t step(int weight, int input) {
    Dsp48e2Inputs in;
    in.a = bits(weight, 30);
    in.b = bits(input, 18);
    in.opmode = 0b000000101;
    in.cea2 = in.ceb2 = in.cem = in.cep = true;
    return p_of(slice_.step(in));
  }

 private:
  Dsp48e2 slice_{attributes(1)};
};

// P = P + C, of a first sum C.
class Accumulator {
 public:
  std::int64_t step(std::int64_t sum, bool first) {
    Dsp48e2Inputs in;
    in.c = bits(sum, 48);
    in.opmode = first ? 0b000001100 : 0b000101100;
    in.cep = true;
    return p_of(slice_.step(in));
  }

 private:
  Dsp48e2 slice_{attributes(0)};
};

// Returns what the slices make of every point of one entry, with a new weight set for each, in output channel o.
std::int64_t sum_of_slices(const EngineWork& work, int o) {
  std::vector<Multiplier> multipliers(kLanes);
  Accumulator accumulator;
  std::int64_t p = 0;
  const int count = static_cast<int>(work.points.size()), delay = tiled::EngineConfig::kMultiply - 1;
  for (int edge = 0; edge < count + delay; ++edge) {
    const std::size_t k = at(std::min(edge, count - 1));
    std::int64_t tree = 0;
    for (int i = 0; i < kLanes; ++i) {
      const int weight = work.book.integers[work.sets[k].codes[at(i * work.engine.tm + o)]];
      tree += multipliers[at(i)].step(weight, work.points[k].values[at(i)]);
    }
    if (edge >= delay) p = accumulator.step(tree, edge == delay);
  }
  return p;
}

}  // namespace

TEST_CASE("a channel of the engine equals DSP48E2 slices wrapped at 48 bits on the full range of 16 bits") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  EngineWork work(test::engine_of(2, kLanes, 1024, 1), EngineWork::Kind::int64);
  work.add_half(1, 24000, 1, random);
  for (std::size_t k = 0; k < 23500; ++k) {  // 6 * 2^30 a point: beyond 2^47 after 21,846
    std::fill_n(work.points[k].values.begin(), kLanes, std::int16_t{-32768});
    for (std::size_t i = 0; i < kLanes; ++i) work.sets[k].codes[2 * i] = 0;
  }
  work.book.integers[0] = -32768;
  EngineLane lane("lane", work);
  REQUIRE(bench.run_until([&] { return lane.done(); }));
  for (int o = 0; o < 2; ++o) CHECK(arith::wrap(lane.store.int64(0, 0)[o], 48) == sum_of_slices(work, o));
  CHECK(lane.store.int64(0, 0)[0] != arith::wrap(lane.store.int64(0, 0)[0], 48));
}

TEST_CASE("where the MACs are made changes neither sums nor cycles") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  const EngineWork base(test::engine_of(8, kLanes), EngineWork::Kind::int32, 6, random);
  std::vector<EngineWork> work;
  for (const auto place :
       {tiled::MacPlace::dsp, tiled::MacPlace::lut, tiled::MacPlace::by_output, tiled::MacPlace::by_input}) {
    work.push_back(base);
    work.back().engine.macs = place;
    work.back().engine.dsp_channels = 3;
  }
  std::vector<std::unique_ptr<EngineLane>> lanes;
  for (const EngineWork& w : work)
    lanes.push_back(std::make_unique<EngineLane>("lane" + std::to_string(lanes.size()), w));
  REQUIRE(bench.run_until([&] {
    for (auto& lane : lanes)
      if (!lane->done()) return false;
    return true;
  }));
  for (auto& lane : lanes) {
    lane->require_sums();
    CHECK(lane->sink.edges() == lanes[0]->sink.edges());
    CHECK(lane->states == lanes[0]->states);
  }
}

}  // namespace fansim::tile_engine_slices_test
