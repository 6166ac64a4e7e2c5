// SPDX-License-Identifier: Apache-2.0
#include "blocks/lut_multiplier.h"

#include "blocks/reload_controller.h"
#include "primitives/reconfigurable_table.h"
#include "support/blocks.h"
#include "support/lut_kernel.h"

namespace fansim::lut_multiplier_test {

using blocks::KernelInputs;
using blocks::LutMultiplier;
using blocks::ReloadBeat;
using blocks::TableEntries;

namespace {

constexpr std::uint64_t kSeed = 43;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Puts a multiplier behind a reload controller, which has its coefficients when `sets_from` allows.
struct Multipliers {
  explicit Multipliers(test::Bench& bench) : lanes(bench, &LutMultiplier::inputs, &LutMultiplier::entries) {}

  auto& add(const test::KernelWork& work, test::Stalls stalls) {
    auto& lane = lanes.add(work.vectors, work.vectors.size(), stalls, work.config);
    reloads.push_back(std::make_unique<Reload>(fmt::format("reload{}", lanes.size()), work, stalls.in));
    lane.block.reload(reloads.back()->beats);
    return lane;
  }

  struct Reload {
    Reload(const std::string& name, const test::KernelWork& work, int stall)
        : sets((name + "_sets").c_str()),
          beats((name + "_beats").c_str()),
          source((name + "_source").c_str(), work.sets, stall),
          controller((name + "_controller").c_str(), work.config) {
      source.out(sets);
      controller.coefficients(sets);
      controller.reload(beats);
    }
    sim::Stream<blocks::Coefficients> sets;
    sim::Stream<ReloadBeat> beats;
    test::Source<blocks::Coefficients> source;
    blocks::ReloadController controller;
  };
  test::Lanes<LutMultiplier, KernelInputs, TableEntries> lanes;
  std::vector<std::unique_ptr<Reload>> reloads;
};

void require_entries(const test::KernelWork& work, const std::vector<TableEntries>& out) {
  const arith::LutKernel kernel(work.config.format);
  const int n = work.config.format.inputs;
  for (std::size_t k = 0; k < out.size(); ++k) {
    REQUIRE(out[k].index == static_cast<int>(k));
    for (int s = 0; s < kernel.slices(); ++s)
      for (int i = 0; i < n; ++i) {
        const int address = kernel.slice_of(work.x(k, i), s) & 15;
        REQUIRE(out[k].bits[at(s * n + i)] == kernel.entry(work.coefficient(k, i), s, address));
      }
  }
}

}  // namespace

TEST_CASE("every slice of every input looks up its product for one set of coefficients after the other") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Multipliers multipliers(bench);
  std::vector<std::unique_ptr<test::KernelWork>> work;
  for (const auto& config : test::kernel_sizes()) {
    work.push_back(std::make_unique<test::KernelWork>(config, 12, 60, random));
    multipliers.add(*work.back(), {0, 0});
  }
  multipliers.lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) {
    INFO(test::text(work[i]->config));
    require_entries(*work[i], multipliers.lanes[i].sink.items());
    CHECK(test::count(multipliers.lanes[i].block, "reloads") == 12);
  }
}

TEST_CASE("new coefficients cost 32 cycles without shadow tables and none with them after a pass of 32 or more") {
  base::Random random(kSeed);
  test::Bench bench;
  Multipliers multipliers(bench);
  std::vector<std::unique_ptr<test::KernelWork>> work;
  constexpr int kPasses = 6, kLength = 40;
  for (const bool shadow : {false, true}) {
    const auto config = test::kernel_of(9, 8, 8, false, shadow);
    work.push_back(std::make_unique<test::KernelWork>(config, 0, 1, random));
    for (int pass = 0; pass < kPasses; ++pass) {
      work.back()->sets.push_back(test::random_coefficients(config, random));
      for (int k = 0; k < kLength; ++k) work.back()->add_vector(pass, k == 0, random);
    }
    auto& lane = multipliers.add(*work.back(), {0, 0});
    lane.source.not_before = {100};  // the first set is ready, where there are tables to hold it
  }
  multipliers.lanes.run();
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<sim::Edge>& edges = multipliers.lanes[i].sink.edges();
    for (int pass = 1; pass < kPasses; ++pass) {
      const sim::Edge lost = edges[at(pass * kLength)] - edges[at(pass * kLength - 1)] - 1;
      CHECK(lost == (i == 0 ? 32 : 0));
    }
    CHECK(test::count(multipliers.lanes[i].block, "reload_waits") == (i == 0 ? 32 * kPasses : 0));
    require_entries(*work[i], multipliers.lanes[i].sink.items());
  }
}

TEST_CASE("shadow tables follow passes of one vector at 32 cycles each") {
  base::Random random(kSeed);
  test::Bench bench;
  Multipliers multipliers(bench);
  const test::KernelWork work(test::kernel_of(9, 8, 8, false, true), 20, 1, random);
  multipliers.add(work, {0, 0});
  multipliers.lanes.run();
  const std::vector<sim::Edge>& edges = multipliers.lanes[0].sink.edges();
  for (std::size_t k = 2; k < edges.size(); ++k) CHECK(edges[k] - edges[k - 1] == 32);
}

TEST_CASE("a vector passes the tables in two cycles and one enters per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  Multipliers multipliers(bench);
  test::KernelWork work(test::kernel_sizes()[0], 1, 1, random);
  for (int k = 1; k < 150; ++k) work.add_vector(0, false, random);
  multipliers.add(work, {0, 0}).source.not_before = {100};
  multipliers.lanes.run();
  for (std::size_t k = 0; k < work.vectors.size(); ++k) REQUIRE(multipliers.lanes[0].latency(k, k) == 2);
  CHECK(test::back_to_back(multipliers.lanes[0].sink.edges()));
}

TEST_CASE("random stalls change no entry and the multiplier's counters account for every vector") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Multipliers multipliers(bench);
  std::vector<std::unique_ptr<test::KernelWork>> work;
  for (const bool shadow : {false, true}) {
    for (const test::Stalls stalls : test::kStallGrid) {
      work.push_back(std::make_unique<test::KernelWork>(test::kernel_of(4, 8, 8, true, shadow), 8, 50, random));
      multipliers.add(*work.back(), stalls);
    }
  }
  multipliers.lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) {
    require_entries(*work[i], multipliers.lanes[i].sink.items());
    CHECK(test::count(multipliers.lanes[i].block, "vectors") == static_cast<std::int64_t>(work[i]->vectors.size()));
    CHECK(test::count(multipliers.lanes[i].block, "reloads") == 8);
    const test::Account& a = multipliers.lanes[i].account;
    const std::int64_t waits = test::count(multipliers.lanes[i].block, "reload_waits");
    CHECK(a.beats + a.stalls + waits <= a.edges);
    CHECK(a.unexplained <= waits);
  }
}

// Every pair of bits is a ReconfigurableTable that is given the same reload and the same addresses.
TEST_CASE("the tables equal an array of CFGLUT5s with shadows and LUT6_2s") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (const bool shadow : {false, true}) {
    const auto config = test::kernel_of(3, 12, 12, true, shadow);
    const arith::LutKernel kernel(config.format);
    for (int trial = 0; trial < 20; ++trial) {
      const int c = test::operand(12, random);
      for (int s = 0; s < kernel.slices(); ++s) {
        std::vector<primitives::ReconfigurableTable> pairs(at(kernel.table_luts(s)),
                                                           primitives::ReconfigurableTable(shadow));
        for (int beat = 0; beat < 32; ++beat) {
          const int address = 15 - beat % 16;
          const int factor = s == kernel.slices() - 1 && address >= 8 ? address - 16 : address;
          const std::uint32_t word = (static_cast<std::uint32_t>(factor * c) ^ 1u << 15) << (beat < 16 ? 0 : 1);
          for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
            const int odd = kernel.first_bit(s) + 2 * static_cast<int>(pair) + 1;
            pairs[pair].step({0, (word >> odd & 1) != 0, true, false});
          }
        }
        for (int address = 0; address < 16; ++address) {
          std::uint32_t entry = 0;
          for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
            const auto bits = pairs[pair].step({address, false, false, shadow});
            const int even = kernel.first_bit(s) + 2 * static_cast<int>(pair);
            entry |= (bits.even ? 1u : 0u) << even | (bits.odd ? 2u : 0u) << even;
          }
          REQUIRE(entry == kernel.entry(c, s, address));
        }
      }
    }
  }
}

}  // namespace fansim::lut_multiplier_test
