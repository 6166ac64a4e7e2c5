// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/simd_unit.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <deque>

#include "sim/violation.h"
#include "unit_rig.h"

namespace fansim::simd_unit_test {

using namespace test;
using vision::Config;
using vision::Job;
using vision::PixelBeat;
using Operation = vision::SimdOperation;

namespace {

constexpr std::uint64_t kSeed = 24;
constexpr int kBeats = 120;

double plain(const Job& job, int a, int b) {
  switch (job.simd) {
    case Operation::pass:
      return a;
    case Operation::absdiff:
      return std::abs(a - b);
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::minimum:
      return std::min(a, b);
    case Operation::maximum:
      return std::max(a, b);
    case Operation::bitwise_and:
      return a & b;
    case Operation::bitwise_or:
      return a | b;
    case Operation::bitwise_xor:
      return a ^ b;
    case Operation::bitwise_not:
      return 255 - a;
    case Operation::threshold:
      return (job.inside ? job.lower <= a && a <= job.upper : a > job.upper) ? job.true_value : job.false_value;
    case Operation::multiply:
      return std::trunc(a * static_cast<double>(b) / std::exp2(job.simd_shift));
    case Operation::accumulate_square:
      return b + std::floor(a * static_cast<double>(a) / std::exp2(job.simd_shift));
    case Operation::accumulate_weighted:
      return std::floor(((256 - job.alpha) * static_cast<double>(b) + job.alpha * static_cast<double>(a)) / 256);
  }
  return 0;
}

// Returns the saturated value, or the value of that type with the same low bits.
std::int32_t expected(const Job& job, int a, int b) {
  const double value = plain(job, a, b);
  if (!job.wraps) return static_cast<std::int32_t>(std::clamp<double>(value, job.simd_low, job.simd_high));
  const auto bits = static_cast<std::int64_t>(value);
  if (job.simd_low < 0) return static_cast<std::int16_t>(bits);
  return job.simd_high == UINT8_MAX ? static_cast<std::uint8_t>(bits) : static_cast<std::uint16_t>(bits);
}

struct Task {
  Job job;
  std::vector<PixelBeat> beats;
};

Task task_of(Operation operation, const Config& config, base::Random& random) {
  Task task{{}, std::vector<PixelBeat>(kBeats)};
  const bool byte = operation == Operation::bitwise_not || random.chance(40), is_signed = !byte && random.chance(50);
  const int low = is_signed ? INT16_MIN : 0, high = byte ? UINT8_MAX : is_signed ? INT16_MAX : UINT16_MAX;
  for (PixelBeat& beat : task.beats)
    for (std::size_t i = 0; i < static_cast<std::size_t>(config.pixels.samples); ++i) {
      beat.samples[i] = random.uniform(low, high);
      beat.second[i] = random.uniform(low, high);
    }
  task.job.simd = operation;
  task.job.simd_shift = random.uniform(0, 15);
  task.job.alpha = random.uniform(0, 256);
  task.job.lower = random.uniform(low, high);
  task.job.upper = random.uniform(task.job.lower, high);
  task.job.inside = random.chance(50);
  task.job.wraps = random.chance(50);
  task.job.true_value = random.uniform(0, 255);
  task.job.false_value = random.uniform(0, 255);
  const int type = random.uniform(0, 2);
  task.job.simd_low = type == 2 ? INT16_MIN : 0;
  task.job.simd_high = type == 0 ? UINT8_MAX : type == 1 ? UINT16_MAX : INT16_MAX;
  return task;
}

}  // namespace

TEST_CASE("every operation on samples is its definition at the unit's latency with and without gaps") {
  base::Random random(kSeed);
  Bench bench;
  std::deque<Task> tasks;
  std::vector<Config> configs;
  std::deque<UnitRig<vision::SimdUnit>> rigs;
  for (int operation = 0; operation <= static_cast<int>(Operation::accumulate_weighted); ++operation)
    for (const int stall : {0, 30, 70}) {
      Config config;
      config.pixels.samples = 1 << operation % 4;
      config.simd.multipliers = operation >= static_cast<int>(Operation::multiply) || operation % 2 == 1;
      configs.push_back(config);
      rigs.emplace_back("rig" + std::to_string(rigs.size()), config, stall);
      // Another job behind the first finds nothing of it.
      for (const sim::Edge edge : {0, 1000}) {
        tasks.push_back(task_of(static_cast<Operation>(operation), config, random));
        rigs.back().add(tasks.back().job, tasks.back().beats, edge);
      }
    }
  bench.run(2000);
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    CAPTURE(i);
    const auto& rig = rigs[i];
    REQUIRE(rig.sink.count() == 2 * kBeats);
    CHECK(counter(rig.unit, "beats") == 2 * kBeats);
    for (std::size_t n = 0; n < 2 * kBeats; ++n) {
      const Task& task = tasks[2 * i + n / kBeats];
      REQUIRE(rig.sink.edges()[n] == rig.source.edges()[n] + configs[i].simd.latency() + 2);
      const PixelBeat& beat = task.beats[n % kBeats];
      for (std::size_t lane = 0; lane < static_cast<std::size_t>(configs[i].pixels.samples); ++lane) {
        CAPTURE(static_cast<int>(task.job.simd), beat.samples[lane], beat.second[lane]);
        REQUIRE(rig.sink.items()[n].samples[lane] == expected(task.job, beat.samples[lane], beat.second[lane]));
      }
    }
  }
}

TEST_CASE("the SIMD unit takes a step and makes a result at every edge") {
  base::Random random(kSeed);
  Bench bench;
  const Config config;
  const Task task = task_of(Operation::add, config, random);
  UnitRig<vision::SimdUnit> rig("rig", config);
  rig.add(task.job, task.beats);
  bench.run(200);
  REQUIRE(rig.sink.count() == kBeats);
  CHECK(rig.sink.edges().back() - rig.sink.edges().front() == kBeats - 1);
}

TEST_CASE("a result that cannot leave the SIMD unit is a violation") {
  base::Random random(kSeed);
  Bench bench;
  const Config config;
  const Task task = task_of(Operation::add, config, random);
  UnitRig<vision::SimdUnit> rig("rig", config);
  rig.add(task.job, task.beats);
  rig.sink.not_before = 1000;
  CHECK_THROWS_WITH(bench.run(200), Catch::Contains("a result was refused"));
}

}  // namespace fansim::simd_unit_test
