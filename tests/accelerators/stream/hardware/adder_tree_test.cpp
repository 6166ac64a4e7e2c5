// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/adder_tree.h"

#include "support/blocks.h"

namespace fansim::adder_tree_test {

using stream::AdderTree;
using stream::Sums;
using stream::Terms;

namespace {

constexpr std::uint64_t kSeed = 11;

struct Case {
  stream::ArrayConfig config;
  stream::Command job;
};

int lanes_of(const stream::ArrayConfig& config) {
  return (config.window_values() + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes;
}

// Returns every shape with one row of windows, and with several where a lower kernel leaves room.
std::vector<Case> cases() {
  std::vector<Case> all;
  std::vector<stream::ArrayConfig> shapes = test::array_shapes();
  shapes.push_back(test::array_of(3, 3, 8, 8));
  shapes.back().multiplier = stream::Multiplier::lut_kernel;
  for (const stream::ArrayConfig& config : shapes) {
    all.push_back({config, {}});
    for (int kernel = 1; 2 * kernel <= config.rows; ++kernel) {
      stream::Command job;
      job.kernel = kernel;
      job.parallel = config.windows_in_parallel(kernel, 1);
      all.push_back({config, job});
    }
  }
  return all;
}

std::vector<Terms> random_products(const Case& c, int n, base::Random& random) {
  std::vector<Terms> items(static_cast<std::size_t>(n));
  const int lanes = lanes_of(c.config);
  for (int k = 0; k < n; ++k) {
    Terms& p = items[static_cast<std::size_t>(k)];
    p.products.fill(0);
    p.tag.job = &c.job;
    p.tag.x = k;
    const bool extreme = random.chance(20);
    for (int o = 0; o < c.config.output_channels; ++o)
      for (int i = 0; i < c.config.window_values(); ++i)
        p.products[static_cast<std::size_t>(o * lanes + i)] =
            static_cast<std::int16_t>(extreme ? -32640 : random.uniform(-32640, 32385));
  }
  return items;
}

// Row p of `parallel` rows owns the tap rows p * kernel .. p * kernel + kernel - 1; a single row owns all.
std::int32_t reference(const Case& c, const Terms& in, int p, int o) {
  const int first = c.job.parallel == 1 ? 0 : p * c.job.kernel;
  const int rows = c.job.parallel == 1 ? c.config.rows : c.job.kernel;
  std::int32_t sum = 0;
  for (int col = 0; col < c.config.cols; ++col)
    for (int m = first; m < first + rows; ++m)
      for (int i = 0; i < c.config.input_channels; ++i)
        sum += in.products[static_cast<std::size_t>(o * lanes_of(c.config) +
                                                    (col * c.config.rows + m) * c.config.input_channels + i)];
  return sum;
}

void require_sums_of(const Case& c, const std::vector<Terms>& in, const std::vector<Sums>& out) {
  REQUIRE(out.size() == in.size());
  for (std::size_t k = 0; k < in.size(); ++k) {
    REQUIRE(out[k].tag.x == in[k].tag.x);
    for (int p = 0; p < c.job.parallel; ++p)
      for (int o = 0; o < c.config.output_channels; ++o)
        REQUIRE(out[k].values[static_cast<std::size_t>(p * c.config.output_channels + o)] == reference(c, in[k], p, o));
  }
}

}  // namespace

TEST_CASE("the adder tree sums the products of every output channel and parallel row for any array") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Lanes<AdderTree, Terms, Sums> lanes(bench, &AdderTree::products, &AdderTree::sums);
  const std::vector<Case> all = cases();
  std::vector<std::vector<Terms>> items;
  for (const Case& c : all) {
    items.push_back(random_products(c, 20, random));
    lanes.add(items.back(), 20, {0, 0}, c.config);
  }
  lanes.run();
  for (std::size_t i = 0; i < all.size(); ++i) require_sums_of(all[i], items[i], lanes[i].sink.items());
}

TEST_CASE("the adder tree takes exactly its declared latency: one cycle per level") {
  test::Bench bench;
  test::Lanes<AdderTree, Terms, Sums> lanes(bench, &AdderTree::products, &AdderTree::sums);
  const std::vector<Case> all = cases();
  base::Random random(kSeed);
  for (const Case& c : all) {
    auto& lane = lanes.add({}, 2, {0, 0}, c.config);
    for (const Terms& p : random_products(c, 2, random)) lane.source.add(p, lane.source.not_before.empty() ? 5 : 60);
  }
  lanes.run();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int levels = all[i].config.adder_tree_latency();
    REQUIRE(lanes[i].latency(0, 0) == levels);
    REQUIRE(lanes[i].latency(1, 1) == levels);
    REQUIRE((1 << levels) >= all[i].config.window_values());
  }
  CHECK(test::array_of(3, 3, 8, 8).adder_tree_latency() == 7);  // 72 products
  stream::ArrayConfig kernels = test::array_of(3, 3, 8, 8);
  kernels.multiplier = stream::Multiplier::lut_kernel;
  CHECK(kernels.adder_tree_latency() == 5 + 1 + 2);  // docs/timing.md: a heap of 24 inputs has 5 stages; three rows
  kernels.rounding = stream::KernelRounding::faithful;
  CHECK(kernels.adder_tree_latency() == 5 + 1 + 2);
}

TEST_CASE("the adder tree sums one window per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  test::Lanes<AdderTree, Terms, Sums> lanes(bench, &AdderTree::products, &AdderTree::sums);
  const std::vector<Case> all = cases();
  for (const Case& c : all) lanes.add(random_products(c, 150, random), 150, {0, 0}, c.config);
  lanes.run();
  for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(test::back_to_back(lanes[i].sink.edges()));
}

TEST_CASE("random stalls change neither the adder tree's sums nor their order and every cycle is accounted for") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Lanes<AdderTree, Terms, Sums> lanes(bench, &AdderTree::products, &AdderTree::sums);
  const Case c{test::array_of(3, 3, 8, 8), {}};
  const std::vector<Terms> items = random_products(c, 200, random);
  for (const test::Stalls& stalls : test::kStallGrid) lanes.add(items, 200, stalls, c.config);
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) require_sums_of(c, items, lanes[i].sink.items());
  lanes.require_sums("beats");
}

}  // namespace fansim::adder_tree_test
