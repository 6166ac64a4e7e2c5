// SPDX-License-Identifier: Apache-2.0
#include "blocks/compressor_tree.h"

#include "arith/fixed.h"
#include "blocks/gpc.h"
#include "support/blocks.h"
#include "support/lut_kernel.h"

namespace fansim::compressor_tree_test {

using blocks::CompressorTree;
using blocks::KernelSum;
using blocks::TableEntries;

namespace {

constexpr std::uint64_t kSeed = 42;

using Trees = test::Lanes<CompressorTree, TableEntries, KernelSum>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<TableEntries> random_entries(const contract::LutKernelConfig& config, int n, base::Random& random) {
  const arith::LutKernel kernel(config.format);
  std::vector<TableEntries> items(at(n));
  for (int k = 0; k < n; ++k) {
    items[at(k)].index = k;
    for (int s = 0; s < kernel.slices(); ++s) {
      const std::uint32_t kept = (1u << kernel.product_bits()) - (1u << kernel.first_bit(s));
      for (int i = 0; i < config.format.inputs; ++i)
        items[at(k)].bits[at(s * config.format.inputs + i)] =
            (k == 0 ? ~0u : static_cast<std::uint32_t>(random.uniform(0, 0x7fffffff))) & kept;
    }
  }
  return items;
}

// Computes the same through LUT6_2s and CARRY8s.
std::int64_t from_primitives(const contract::LutKernelConfig& config, const TableEntries& in) {
  const arith::LutKernel kernel(config.format);
  std::vector<std::vector<int>> columns(at(kernel.sum_bits()));
  for (int s = 0; s < kernel.slices(); ++s) {
    for (int bit = kernel.first_bit(s); bit < kernel.product_bits(); ++bit) {
      if (bit + 4 * s >= kernel.sum_bits()) continue;
      for (int i = 0; i < config.format.inputs; ++i)
        columns[at(bit + 4 * s)].push_back(static_cast<int>(in.bits[at(s * config.format.inputs + i)] >> bit & 1));
    }
  }
  for (int column = 0; column < kernel.sum_bits(); ++column)
    if ((kernel.constant() >> column & 1) != 0) columns[at(column)].push_back(1);
  const arith::CompressorPlan plan(arith::heap_of(kernel));
  const std::uint64_t sum = blocks::compress(plan, columns);
  return arith::wrap(static_cast<std::int64_t>(sum), kernel.sum_bits()) >> kernel.output_bit();
}

}  // namespace

TEST_CASE("the compressor tree equals its counters and adder made of LUT6_2 and CARRY8 at its latency") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Trees lanes(bench, &CompressorTree::entries, &CompressorTree::sums);
  const auto sizes = test::kernel_sizes();
  std::vector<std::vector<TableEntries>> items;
  for (const auto& config : sizes) {
    items.push_back(random_entries(config, 40, random));
    lanes.add(items.back(), 40, {0, 0}, config);
  }
  lanes.run();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    INFO(test::text(sizes[i]));
    for (std::size_t k = 0; k < 40; ++k) {
      REQUIRE(lanes[i].sink.items()[k].index == static_cast<int>(k));
      REQUIRE(lanes[i].sink.items()[k].value == from_primitives(sizes[i], items[i][k]));
      REQUIRE(lanes[i].latency(k, k) == sizes[i].tree_latency());
    }
  }
}

TEST_CASE("the compressor tree sums a heap per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  Trees lanes(bench, &CompressorTree::entries, &CompressorTree::sums);
  const auto config = test::kernel_sizes()[0];
  lanes.add(random_entries(config, 150, random), 150, {0, 0}, config);
  lanes.run();
  CHECK(test::back_to_back(lanes[0].sink.edges()));
}

TEST_CASE("random stalls change no sum of the compressor tree and its cycles add up") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Trees lanes(bench, &CompressorTree::entries, &CompressorTree::sums);
  const auto config = test::kernel_sizes()[3];
  const std::vector<TableEntries> items = random_entries(config, 60, random);
  for (const test::Stalls stalls : test::kStallGrid) lanes.add(items, items.size(), stalls, config);
  lanes.run();
  for (std::size_t i = 1; i < lanes.size(); ++i)
    for (std::size_t k = 0; k < items.size(); ++k)
      REQUIRE(lanes[i].sink.items()[k].value == lanes[0].sink.items()[k].value);
  lanes.require_sums("beats");
}

}  // namespace fansim::compressor_tree_test
