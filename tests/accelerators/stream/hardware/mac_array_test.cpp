// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/mac_array.h"

#include <map>

#include "base/units.h"
#include "primitives/dual_int8.h"
#include "support/blocks.h"

namespace fansim::mac_array_test {

using stream::MacArray;
using stream::Terms;
using stream::WeightColumn;
using stream::Window;

namespace {

constexpr std::uint64_t kSeed = 16;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Passes of random windows over random weight sets. Activations are int8 or uint8, both widened.
struct Work {
  Work(const stream::ArrayConfig& array, int passes, int longest_pass, base::Random& random) : config(array) {
    for (int p = 0; p < passes; ++p) {
      const bool extreme = random.chance(20);
      for (int c = 0; c < config.cols; ++c) {
        columns.emplace_back();
        for (std::uint8_t& byte : columns.back().bytes)
          byte = extreme ? 0x80 : static_cast<std::uint8_t>(random.uniform(0, 255));
      }
      const int length = random.uniform(1, longest_pass);
      const bool is_unsigned = random.chance(50);
      for (int k = 0; k < length; ++k) {
        Window window;
        window.taps.fill(0);
        window.tag = {};
        window.tag.new_weights = k == 0;
        window.tag.x = static_cast<int>(windows.size());
        const int low = is_unsigned ? 0 : -128;
        for (int i = 0; i < config.window_values(); ++i)
          window.taps[at(i)] =
              static_cast<std::int16_t>(extreme ? (is_unsigned ? 255 : -128) : random.uniform(low, low + 255));
        windows.push_back(window);
        pass_of.push_back(p);
      }
    }
  }

  // Weights come a tap column at a time as [output channel][tap row][input channel].
  int weight(int pass, int o, int column, int row, int i) const {
    const WeightColumn& c = columns[at(pass * config.cols + column)];
    return static_cast<std::int8_t>(c.bytes[at((o * config.rows + row) * config.input_channels + i)]);
  }

  int lanes() const { return base::round_up(config.window_values(), kernels::kLanes); }

  template <class Each>
  void each_product(std::size_t k, Each&& each) const {
    for (int o = 0; o < config.output_channels; ++o)
      for (int c = 0, tap = 0; c < config.cols; ++c)
        for (int m = 0; m < config.rows; ++m)
          for (int i = 0; i < config.input_channels; ++i, ++tap)
            each(o * lanes() + tap, int{windows[k].taps[at(tap)]}, weight(pass_of[k], o, c, m, i));
  }

  void require(const std::vector<Terms>& out) const {
    REQUIRE(out.size() == windows.size());
    for (std::size_t k = 0; k < windows.size(); ++k) {
      REQUIRE(out[k].tag.x == windows[k].tag.x);
      bool equal = true;
      each_product(k, [&](int lane, int x, int w) { equal &= out[k].products[at(lane)] == x * w; });
      REQUIRE(equal);
    }
  }

  stream::ArrayConfig config;
  std::vector<WeightColumn> columns;
  std::vector<Window> windows;
  std::vector<int> pass_of;
};

// Contains an array and its second input.
struct Arrays {
  explicit Arrays(test::Bench& bench) : lanes(bench, &MacArray::windows, &MacArray::products) {}
  template <class... More>
  auto& add(const Work& work, test::Stalls stalls, More... more) {
    auto& lane = lanes.add(work.windows, work.windows.size(), stalls, work.config, more...);
    const std::string name = fmt::format("weights{}", lanes.size());
    streams.push_back(std::make_unique<sim::Stream<WeightColumn>>(name.c_str()));
    sources.push_back(
        std::make_unique<test::Source<WeightColumn>>((name + "_source").c_str(), work.columns, stalls.in));
    sources.back()->out(*streams.back());
    lane.block.weights(*streams.back());
    return lane;
  }
  test::Lanes<MacArray, Window, Terms> lanes;
  std::vector<std::unique_ptr<sim::Stream<WeightColumn>>> streams;
  std::vector<std::unique_ptr<test::Source<WeightColumn>>> sources;
};

std::vector<stream::ArrayConfig> with_every_multiplier(const std::vector<stream::ArrayConfig>& shapes) {
  std::vector<stream::ArrayConfig> all;
  for (stream::ArrayConfig config : shapes)
    for (stream::Multiplier multiplier : {stream::Multiplier::dsp48e2, stream::Multiplier::dsp48e2_dual_int8,
                                          stream::Multiplier::lut, stream::Multiplier::lut_reconfigurable}) {
      config.multiplier = multiplier;
      all.push_back(config);
    }
  return all;
}

}  // namespace

TEST_CASE("the MAC array multiplies every tap by its weight set after set for any array") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Arrays arrays(bench);
  std::vector<std::unique_ptr<Work>> work;
  for (const stream::ArrayConfig& config : with_every_multiplier(test::array_shapes())) {
    work.push_back(std::make_unique<Work>(config, 15, 5, random));
    arrays.add(*work.back(), {0, 0});
  }
  arrays.lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) work[i]->require(arrays.lanes[i].sink.items());
}

TEST_CASE("the vectorised MAC array equals an array of packed INT8 pairs with two output channels per DSP slice") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Arrays arrays(bench);
  const Work work(test::array_of(3, 3, 8, 8), 25, 6, random);
  auto& lane = arrays.add(work, {0, 0});
  arrays.lanes.run();
  const int lanes = 96;  // 72 products, padded to whole vectors
  for (std::size_t k = 0; k < work.windows.size(); ++k)
    for (int o = 0; o < 8; o += 2)
      for (int c = 0, tap = 0; c < 3; ++c)
        for (int m = 0; m < 3; ++m)
          for (int i = 0; i < 8; ++i, ++tap) {
            const auto pair =
                primitives::dual_int8(work.weight(work.pass_of[k], o, c, m, i),
                                      work.weight(work.pass_of[k], o + 1, c, m, i), work.windows[k].taps[at(tap)]);
            REQUIRE(lane.sink.items()[k].products[at(o * lanes + tap)] == pair.high);
            REQUIRE(lane.sink.items()[k].products[at((o + 1) * lanes + tap)] == pair.low);
          }
}

TEST_CASE("sums stand for products that only an adder tree takes and are made late where faults are expected") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Arrays arrays(bench);
  std::vector<std::unique_ptr<Work>> work;
  std::vector<std::unique_ptr<stream::Command>> jobs;
  for (const stream::ArrayConfig& config : with_every_multiplier(test::array_shapes())) {
    jobs.push_back(std::make_unique<stream::Command>());
    jobs.back()->kernel = random.uniform(1, config.rows);
    jobs.back()->parallel = random.uniform(1, config.rows / jobs.back()->kernel);
    if (jobs.back()->parallel == 1) jobs.back()->kernel = config.rows;
    work.push_back(std::make_unique<Work>(config, 10, 5, random));
    for (Window& window : work.back()->windows) window.tag.job = jobs.back().get();
    arrays.add(*work.back(), {20, 30});
    arrays.add(*work.back(), {20, 30}, true, MacArray::Taken::by_adder_tree);
    arrays.add(*work.back(), {20, 30}, true, MacArray::Taken::by_adder_tree).block.expect_faults();
  }
  arrays.lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) {
    const stream::ArrayConfig& config = work[i]->config;
    const auto &early = arrays.lanes[3 * i + 1].sink, &late = arrays.lanes[3 * i + 2].sink;
    work[i]->require(arrays.lanes[3 * i].sink.items());
    const int lanes = work[i]->lanes();
    for (std::size_t k = 0; k < work[i]->windows.size(); ++k) {
      std::vector<int> sums(at(jobs[i]->parallel * config.output_channels));
      work[i]->each_product(k, [&](int lane, int x, int w) {
        const int row = lane % lanes / config.input_channels % config.rows, p = row / jobs[i]->kernel;
        if (p < jobs[i]->parallel) sums[at(p * config.output_channels + lane / lanes)] += x * w;
      });
      for (const auto* sink : {&early, &late}) {
        const Terms& out = sink->items()[k];
        REQUIRE(out.kind == Terms::Kind::window_sums);
        REQUIRE(out.tag.x == work[i]->windows[k].tag.x);
        REQUIRE(std::equal(sums.begin(), sums.end(), out.sums.begin()));
      }
    }
  }
}

TEST_CASE("a product takes three cycles and four in a packed pair") {
  base::Random random(kSeed);
  test::Bench bench;
  Arrays arrays(bench);
  std::vector<std::unique_ptr<Work>> work;
  const std::vector<stream::ArrayConfig> configs = with_every_multiplier(test::array_shapes());
  for (const stream::ArrayConfig& config : configs) {
    work.push_back(std::make_unique<Work>(config, 3, 1, random));
    // A pass is one window, long after its weights.
    arrays.add(*work.back(), {0, 0}).source.not_before = {100, 200, 300};
  }
  arrays.lanes.run();
  for (std::size_t i = 0; i < configs.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      REQUIRE(arrays.lanes[i].latency(k, k) == configs[i].mac_latency());
      REQUIRE(configs[i].mac_latency() == (configs[i].multiplier == stream::Multiplier::dsp48e2_dual_int8 ? 4 : 3));
    }
}

TEST_CASE("a pass's first window waits for its complete weight set and is taken at the edge after its last column") {
  base::Random random(kSeed);
  test::Bench bench;
  Arrays arrays(bench);
  const Work work(test::array_of(3, 3, 8, 8), 2, 1, random);
  auto& lane = arrays.add(work, {0, 0});
  arrays.sources[0]->not_before = {10, 20, 30, 40, 50, 60};
  arrays.lanes.run();
  // The last column is pushed at 30, taken at 31; the window is multiplied from 32 on and visible to the sink after.
  CHECK(lane.sink.edges()[0] == 32 + work.config.mac_latency() + 1);
  CHECK(lane.sink.edges()[1] == 62 + work.config.mac_latency() + 1);
  CHECK(test::count(lane.block, "weight_waits") == (32 - 2) + (62 - 33));
}

TEST_CASE("the MAC array takes a window per cycle as long as a pass is no shorter than the array has columns") {
  base::Random random(kSeed);
  test::Bench bench;
  Arrays arrays(bench);
  std::vector<std::unique_ptr<Work>> work;
  for (const stream::ArrayConfig& config : test::array_shapes()) {
    work.push_back(std::make_unique<Work>(config, 1, 1, random));
    Work& w = *work.back();
    const Window window = w.windows[0];
    const std::vector<WeightColumn> set = w.columns;
    w.windows.clear();
    w.columns.clear();
    w.pass_of.clear();
    for (int p = 0; p < 120; ++p) {
      w.columns.insert(w.columns.end(), set.begin(), set.end());
      for (int k = 0; k < config.cols; ++k) {
        w.windows.push_back(window);
        w.windows.back().tag.new_weights = k == 0;
        w.windows.back().tag.x = static_cast<int>(w.windows.size()) - 1;
        w.pass_of.push_back(p);
      }
    }
    arrays.add(w, {0, 0}).source.not_before = {50};
  }
  arrays.lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) {
    INFO("shape " << i);
    work[i]->require(arrays.lanes[i].sink.items());
    REQUIRE(test::back_to_back(arrays.lanes[i].sink.edges()));
  }
}

TEST_CASE("random stalls change no product and the array's states and counters account for every cycle") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Arrays arrays(bench);
  std::vector<std::unique_ptr<Work>> work;
  for (const test::Stalls& stalls : test::kStallGrid) {
    work.push_back(std::make_unique<Work>(test::array_of(2, 2, 8, 8), 60, 8, random));
    arrays.add(*work.back(), stalls);
  }
  using State = MacArray::State;
  std::vector<std::map<State, std::int64_t>> states(work.size());
  sim::Edge edges = 0;
  bench.at_each_edge([&](sim::Edge now) {
    edges = now - 1;
    if (edges == 0) return;
    for (std::size_t i = 0; i < work.size(); ++i) ++states[i][arrays.lanes[i].block.state()];
  });
  REQUIRE(bench.run_until([&] {
    for (std::size_t i = 0; i < work.size(); ++i)
      if (arrays.lanes[i].sink.count() < work[i]->windows.size()) return false;
    return true;
  }));
  for (std::size_t i = 0; i < work.size(); ++i) {
    const MacArray& block = arrays.lanes[i].block;
    work[i]->require(arrays.lanes[i].sink.items());
    REQUIRE(states[i][State::compute] == static_cast<std::int64_t>(work[i]->windows.size()));
    REQUIRE(states[i][State::compute] == test::count(block, "windows"));
    REQUIRE(states[i][State::wait_weights] == test::count(block, "weight_waits"));
    REQUIRE(states[i][State::wait_output] <= test::count(block, "stalls"));
    REQUIRE(states[i][State::compute] + states[i][State::wait_weights] + states[i][State::wait_output] +
                states[i][State::idle] ==
            edges);
  }
}

}  // namespace fansim::mac_array_test
