// SPDX-License-Identifier: Apache-2.0
// Random machines on random layers: every process elaborates one machine and runs a dozen layers on it.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/random.h"
#include "systems/machine.h"

using namespace fansim;

namespace {

struct ArrayShape {
  int rows, cols, input_channels, output_channels;
};
constexpr ArrayShape kShapes[] = {{3, 3, 8, 8}, {5, 5, 4, 8}, {2, 2, 8, 8}, {1, 1, 8, 16}, {3, 4, 2, 6}, {6, 3, 4, 4}};

arch::StreamConfig random_config(base::Random& random) {
  arch::StreamConfig config = test::shipped_config("zcu102_stream");
  const ArrayShape shape = kShapes[random.uniform(0, 5)];
  config.array.rows = shape.rows;
  config.array.cols = shape.cols;
  config.array.input_channels = shape.input_channels;
  config.array.output_channels = shape.output_channels;
  config.array.accumulator_depth = 16 * random.uniform(16, 64);
  config.array.multiplier = static_cast<arch::Multiplier>(random.uniform(0, 3));
  config.array.shadow_luts = random.chance(50);
  config.schedule.loop_order = random.chance(50) ? arch::LoopOrder::thesis : arch::LoopOrder::least_traffic;
  config.axi.data_bits = random.chance(50) ? 64 : 128;
  config.axi.burst_beats = random.uniform(1, 32);
  config.axi.outstanding = random.uniform(1, 8);
  config.ddr.read_latency = random.uniform(1, 80);
  config.ddr.write_latency = random.uniform(1, 40);
  config.ddr.turnaround = random.uniform(0, 12);
  config.ddr.refresh_interval = random.uniform(150, 2000);
  config.ddr.refresh_cycles = random.uniform(0, 100);
  // A host without delay leaves the hardware's own hand-overs to prove themselves.
  config.host = {random.uniform(0, 3), random.uniform(1, 4), random.uniform(0, 3), random.uniform(0, 3), 0};
  if (random.chance(30)) config.quantiser = {24, 18, arith::Rounding::half_up};
  return config;
}

std::string random_layer(base::Random& random, int index) {
  const int kernel = random.chance(70) ? random.uniform(1, 4) : random.uniform(5, 9);
  const int groups = random.chance(70) ? 1 : random.chance(50) ? 12 : random.uniform(2, 4);
  const int filters = groups * random.uniform(1, groups == 12 ? 2 : 40 / groups);
  const auto pad = [&] { return random.uniform(0, kernel / 2); };
  const std::string common =
      fmt::format("  - {{name: l{}, input_from: input, type: ", index) + (random.chance(70) ? "conv" : "avgpool");
  if (common.back() == 'l') {
    const int size = random.uniform(1, 5);
    return fmt::format("{}, kernel: {}, stride: {}, padding: {}}}\n", common, size, random.uniform(1, size), size / 2);
  }
  std::string layer =
      fmt::format("{}, filters: {}, kernel: {}, stride: {}, groups: {}, padding: [{}, {}, {}, {}]{}}}\n", common,
                  filters, kernel, random.uniform(1, 3), groups == 12 || 12 % groups == 0 ? groups : 1, pad(), pad(),
                  pad(), pad(), random.chance(50) ? ", activation: relu" : "");
  if (random.chance(40))
    layer += fmt::format("  - {{name: p{}, type: maxpool, kernel: {}, stride: {}, padding: {}, ceil_mode: {}}}\n",
                         index, random.uniform(2, 3), random.uniform(1, 2), random.uniform(0, 1),
                         random.chance(50) ? "true" : "false");
  return layer;
}

void check(std::uint64_t seed) {
  base::Random random(seed);
  const arch::StreamConfig config = random_config(random);
  std::string yaml = fmt::format("input: {{shape: [12, {}, {}], type: {}}}\nlayers:\n", random.uniform(9, 14),
                                 random.uniform(9, 14), random.chance(50) ? "uint8" : "int8");
  for (int i = 0; i < 10; ++i) yaml += random_layer(random, i);
  yaml += "  - {name: fc, input_from: l3, type: fc, units: 37}\n";
  INFO("seed " << seed << "\n" << yaml);
  INFO(fmt::format(
      "array {}x{}x{}x{} depth {}, order {}, port {} bit {} beats {} outstanding, ddr {} {} {} {} {}, host {} {} {} {}",
      config.array.rows, config.array.cols, config.array.input_channels, config.array.output_channels,
      config.array.accumulator_depth, static_cast<int>(config.schedule.loop_order), config.axi.data_bits,
      config.axi.burst_beats, config.axi.outstanding, config.ddr.read_latency, config.ddr.write_latency,
      config.ddr.turnaround, config.ddr.refresh_interval, config.ddr.refresh_cycles, config.host.register_write,
      config.host.register_read, config.host.interrupt, config.host.dma_setup));
  const auto run = test::run_machine(test::network_of(yaml, seed), config);
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}

}  // namespace

TEST_CASE("random machine 1 computes random layers bit-exactly") { check(1); }
TEST_CASE("random machine 2 computes random layers bit-exactly") { check(2); }
TEST_CASE("random machine 3 computes random layers bit-exactly") { check(3); }
TEST_CASE("random machine 4 computes random layers bit-exactly") { check(4); }
TEST_CASE("random machine 5 computes random layers bit-exactly") { check(5); }
TEST_CASE("random machine 6 computes random layers bit-exactly") { check(6); }
TEST_CASE("random machine 7 computes random layers bit-exactly") { check(7); }
TEST_CASE("random machine 8 computes random layers bit-exactly") { check(8); }
TEST_CASE("random machine 9 computes random layers bit-exactly") { check(9); }
TEST_CASE("random machine 10 computes random layers bit-exactly") { check(10); }
TEST_CASE("random machine 11 computes random layers bit-exactly") { check(11); }
TEST_CASE("random machine 12 computes random layers bit-exactly") { check(12); }
