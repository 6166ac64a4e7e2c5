// SPDX-License-Identifier: Apache-2.0
// These tests compare the units with windows with windows written out sample by sample.
#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>

#include "accelerators/vision/hardware/filter_unit.h"
#include "accelerators/vision/hardware/median_unit.h"
#include "sim/violation.h"
#include "unit_rig.h"

namespace fansim::window_units_test {

using namespace test;
using vision::BorderCode;
using vision::Config;
using vision::Job;
using vision::PixelBeat;
using vision::UnitCode;

namespace {

constexpr std::uint64_t kSeed = 23;
constexpr sim::Edge kSecondJob = 4000;  // the first is through before

Config config_of(int samples) {
  Config config;
  config.pixels.samples = samples;
  config.pixels.line_samples = 256;
  return config;
}

// A job over a raster, and what a plain model has for each of its samples.
struct Task {
  Job job;
  Raster raster;
  std::uint32_t delay = 0;
  std::function<std::vector<std::int32_t>(const std::vector<std::int32_t>&)> model;  // a window's results

  void frame(vision::WindowJob& window, int kernel, BorderCode border, int channels, const Config& config,
             UnitCode unit) {
    job.channels = channels;
    job.row_bytes = static_cast<std::uint32_t>(raster.width());
    window = {kernel, border, 77, {0, raster.width() - 2 * channels, 0, raster.rows}};
    delay = unit_delay(job, unit, config.pixels);
  }
};

// Checks every result that a whole window or a border makes, and its edge: the unit's latency after the step that
// completes the window, whatever gaps there were before.
template <class Unit>
void check(const UnitRig<Unit>& rig, const Task& task, const vision::WindowJob& window, int latency, std::size_t first,
           std::size_t first_step) {
  int compared = 0;
  for (int row = 0; row < task.raster.rows; ++row)
    for (int step = 0; step < task.raster.row_steps; ++step) {
      const std::size_t i = static_cast<std::size_t>(row * task.raster.row_steps + step);
      REQUIRE(first + i < rig.sink.count());
      REQUIRE(rig.sink.edges()[first + i] == rig.source.edges()[first_step + i + task.delay] + latency + 2);
      const PixelBeat& beat = rig.sink.items()[first + i];
      for (int lane = 0; lane < task.raster.each; ++lane) {
        const int sample = step * task.raster.each + lane;
        if (sample >= window.image.right) continue;
        const auto seen = window_of(task.raster, window, task.job.channels, row, sample);
        if (seen.empty()) continue;
        const std::vector<std::int32_t> expected = task.model(seen);
        CAPTURE(row, sample);
        REQUIRE(beat.samples[static_cast<std::size_t>(lane)] == expected[0]);
        if (expected.size() > 1) REQUIRE(beat.second[static_cast<std::size_t>(lane)] == expected[1]);
        ++compared;
      }
    }
  CHECK(compared > 0);
}

Task median_task(const Config& config, int kernel, vision::MedianOperation operation, BorderCode border, int channels,
                 base::Random& random) {
  Task task{{}, Raster(64 / config.pixels.samples, 12, config.pixels.samples, random, 0, 255), 0, {}};
  task.frame(task.job.median, kernel, border, channels, config, UnitCode::median);
  task.job.median_operation = operation;
  task.model = [operation](std::vector<std::int32_t> window) -> std::vector<std::int32_t> {
    std::sort(window.begin(), window.end());
    if (operation == vision::MedianOperation::smallest) return {window.front()};
    if (operation == vision::MedianOperation::largest) return {window.back()};
    return {window[window.size() / 2]};
  };
  return task;
}

Task filter_task(const Config& config, int kernel, BorderCode border, int channels, base::Random& random) {
  Task task{{}, Raster(64 / config.pixels.samples, 12, config.pixels.samples, random, 0, 255), 0, {}};
  task.frame(task.job.filter, kernel, border, channels, config, UnitCode::filter);
  Job& job = task.job;
  job.results = config.filter.banks;
  job.shift = random.uniform(0, 4);
  job.filter_signed = random.chance(50);
  for (int bank = 0; bank < job.results; ++bank)
    for (int i = 0; i < kernel * kernel; ++i)
      job.weights[static_cast<std::size_t>(bank * vision::FilterConfig::kMaxWeights + i)] = random.uniform(-20, 20);
  task.model = [job](const std::vector<std::int32_t>& window) {
    std::vector<std::int32_t> results;
    for (int bank = 0; bank < job.results; ++bank) {
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < window.size(); ++i)
        sum += window[i] * job.weights[static_cast<std::size_t>(bank * vision::FilterConfig::kMaxWeights) + i];
      const std::int32_t scaled = sum / (1 << job.shift);  // towards zero
      results.push_back(job.filter_signed ? std::clamp(scaled, -32768, 32767) : std::clamp(scaled, 0, 255));
    }
    return results;
  };
  return task;
}

template <class Unit>
void add_last_two(UnitRig<Unit>& rig, const std::deque<Task>& tasks) {
  const Task &one = tasks[tasks.size() - 2], &two = tasks.back();
  rig.add(one.job, one.raster.beats(one.delay));
  rig.add(two.job, two.raster.beats(two.delay), kSecondJob);
}

BorderCode border_of(int i) { return static_cast<BorderCode>(i % 3); }

}  // namespace

TEST_CASE("medians and extremes are those of the sorted window at the unit's latency with and without gaps") {
  base::Random random(kSeed);
  Bench bench;
  std::deque<Task> tasks;
  std::deque<UnitRig<vision::MedianUnit>> rigs;
  int i = 0;
  for (const int samples : {1, 4, 8})
    for (const int stall : {0, 30, 70})
      for (const auto network :
           {arith::MedianNetwork::exchange19, arith::MedianNetwork::sorting, arith::MedianNetwork::bubble}) {
        Config config = config_of(samples);
        config.median.kernel = i % 2 == 0 ? 5 : 3;
        config.median.network = network;
        rigs.emplace_back("rig" + std::to_string(i), config, stall);
        // The second job is of the smaller window, which the larger network is filled up for.
        for (const int kernel : {config.median.kernel, 3}) {
          const auto operation =
              kernel == 3 && i % 3 > 0 ? static_cast<vision::MedianOperation>(i % 3) : vision::MedianOperation::median;
          tasks.push_back(median_task(config, kernel, operation, border_of(i + kernel / 2), 1 + i % 3, random));
        }
        add_last_two(rigs.back(), tasks);
        ++i;
      }
  bench.run(2 * kSecondJob + 500);
  i = 0;
  for (const auto& rig : rigs) {
    const Task &one = tasks[static_cast<std::size_t>(2 * i)], &two = tasks[static_cast<std::size_t>(2 * i) + 1];
    Config config;
    config.median.kernel = i % 2 == 0 ? 5 : 3;
    config.median.network = static_cast<arith::MedianNetwork>(i % 3);
    CAPTURE(i);
    const auto steps = static_cast<std::size_t>(one.raster.rows * one.raster.row_steps);
    check(rig, one, one.job.median, config.median.latency(), 0, 0);
    check(rig, two, two.job.median, config.median.latency(), steps, steps + one.delay);
    CHECK(counter(rig.unit, "beats") == static_cast<std::int64_t>(rig.sink.count()));
    ++i;
  }
}

TEST_CASE("filtered windows are those of a sum of products at the unit's latency with and without gaps") {
  base::Random random(kSeed);
  Bench bench;
  std::deque<Task> tasks;
  std::vector<Config> configs;
  std::deque<UnitRig<vision::FilterUnit>> rigs;
  for (const int samples : {1, 2, 8})
    for (const int stall : {0, 30, 70})
      for (const bool rebase : {true, false}) {
        const int i = static_cast<int>(configs.size());
        Config config = config_of(samples);
        config.filter.kernel = 3 + 2 * (i % 3);
        config.filter.banks = 1 + i % 2;
        config.filter.terms = 2 + i % 6;
        config.filter.rebase = rebase;
        config.filter.scaler = i % 4 < 2 ? vision::Scaler::reciprocal : vision::Scaler::shift;
        configs.push_back(config);
        rigs.emplace_back("rig" + std::to_string(i), config, stall);
        for (const int kernel : {config.filter.kernel, 3}) {
          tasks.push_back(filter_task(config, kernel, border_of(i + kernel), 1 + i % 3, random));
        }
        add_last_two(rigs.back(), tasks);
      }
  bench.run(2 * kSecondJob + 500);
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    CAPTURE(i);
    const Task &one = tasks[2 * i], &two = tasks[2 * i + 1];
    const auto steps = static_cast<std::size_t>(one.raster.rows * one.raster.row_steps);
    check(rigs[i], one, one.job.filter, configs[i].filter.latency(), 0, 0);
    check(rigs[i], two, two.job.filter, configs[i].filter.latency(), steps, steps + one.delay);
    CHECK(counter(rigs[i].unit, "beats") == static_cast<std::int64_t>(rigs[i].sink.count()));
    const std::int64_t products =
        one.job.filter.kernel * one.job.filter.kernel + two.job.filter.kernel * two.job.filter.kernel;
    CHECK(rigs[i].unit.maccs() == products * one.job.results * static_cast<std::int64_t>(one.raster.values.size()));
  }
}

TEST_CASE("a sum of nine samples is divided by nine through its reciprocal") {
  base::Random random(kSeed);
  Bench bench;
  const Config config = config_of(4);
  Task task = filter_task(config, 3, BorderCode::replicate, 1, random);
  task.job.results = 1;
  task.job.filter_signed = false;
  task.job.weights = {};
  std::fill_n(task.job.weights.begin(), 9, 1);
  task.job.multiplier = 7282;
  task.job.shift = 16;
  task.model = [](const std::vector<std::int32_t>& window) {
    std::int32_t sum = 0;
    for (const std::int32_t value : window) sum += value;
    return std::vector<std::int32_t>{sum / 9};
  };
  UnitRig<vision::FilterUnit> rig("rig", config);
  rig.add(task.job, task.raster.beats(task.delay));
  bench.run(400);
  check(rig, task, task.job.filter, config.filter.latency(), 0, 0);
}

TEST_CASE("a unit of windows takes a step and makes a result at every edge") {
  base::Random random(kSeed);
  Bench bench;
  const Config config = config_of(4);
  const Task median = median_task(config, 3, vision::MedianOperation::median, BorderCode::replicate, 1, random);
  const Task filter = filter_task(config, 3, BorderCode::replicate, 1, random);
  UnitRig<vision::MedianUnit> medians("medians", config);
  UnitRig<vision::FilterUnit> filters("filters", config);
  medians.add(median.job, median.raster.beats(median.delay));
  filters.add(filter.job, filter.raster.beats(filter.delay));
  bench.run(400);
  for (const auto* edges : {&medians.sink.edges(), &filters.sink.edges()}) {
    REQUIRE(edges->size() == 12 * 16);
    CHECK(edges->back() - edges->front() == 12 * 16 - 1);
  }
}

TEST_CASE("a result that a unit of windows cannot leave is a violation") {
  base::Random random(kSeed);
  Bench bench;
  const Config config = config_of(4);
  const Task task = median_task(config, 3, vision::MedianOperation::median, BorderCode::replicate, 1, random);
  UnitRig<vision::MedianUnit> rig("rig", config);
  rig.add(task.job, task.raster.beats(task.delay));
  rig.sink.not_before = 1000;
  CHECK_THROWS_WITH(bench.run(400), Catch::Contains("a result was refused"));
}

}  // namespace fansim::window_units_test
