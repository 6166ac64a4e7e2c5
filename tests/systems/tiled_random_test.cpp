// SPDX-License-Identifier: Apache-2.0
// Random tiled machines on random layers: every process elaborates one machine and runs a dozen layers on it.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/fields.h"
#include "base/random.h"
#include "systems/machine.h"

using namespace fansim;

namespace {

struct Format {
  const char* method;
  int weight_bits, activation_bits;
  arch::MacGrain grain;
};
constexpr auto kCoarse = arch::MacGrain::coarse, kFine = arch::MacGrain::fine;
constexpr Format kFormats[] = {{"dorefa", 8, 8, kCoarse}, {"bnn", 1, 8, kFine},        {"tnn", 2, 4, kCoarse},
                               {"mul2q", 3, 3, kCoarse},  {"dorefa", 16, 16, kCoarse}, {"vecq", 5, 6, kFine},
                               {"pot", 4, 8, kCoarse},    {"kmeans", 4, 8, kFine},     {"dorefa", 2, 2, kCoarse},
                               {"bnn", 1, 1, kCoarse}};

int power(base::Random& random, int from, int to) { return 1 << random.uniform(from, to); }

arch::EngineConfig random_engine(base::Random& random, int input_words, int output_words) {
  arch::EngineConfig engine;
  engine.tm = random.uniform(1, 20);
  engine.tn = random.uniform(1, 9);
  engine.input_words = input_words;
  engine.output_words = output_words;
  engine.double_buffer = random.chance(60);
  return engine;
}

arch::TiledConfig random_config(base::Random& random, const Format& format) {
  const std::vector<std::string> banked{"ddr.fidelity=banked", "ddr.part=../parts/zcu102_ddr4_2133.yaml"};
  arch::TiledConfig config =
      test::shipped_tiled("faq_zcu102_dorefa8", random.chance(30) ? banked : std::vector<std::string>{});
  if (random.chance(15)) config.ddr.fidelity = arch::DdrFidelity::ideal;
  config.quantisation = {format.method, format.weight_bits, format.activation_bits, format.grain};
  if (format.weight_bits > 8) config.quantiser.accumulator_bits = 48;
  config.conv = random_engine(random, random.uniform(170, 250), random.uniform(30, 150));
  config.first = random.chance(50) ? arch::EngineConfig{} : random_engine(random, 256, random.uniform(30, 150));
  config.fc = random.chance(40) ? arch::EngineConfig{} : random_engine(random, random.uniform(2, 64), 64);
  config.weights = {arch::WeightStore::lut, random.chance(50), 24, random.uniform(1, 4)};
  config.load.order = random.chance(50) ? arch::LoadOrder::serial : arch::LoadOrder::parallel;
  config.load.encode = random.chance(70);
  config.load.reorganise = random.chance(70);
  config.load.input_bits = power(random, format.activation_bits > 8 ? 4 : 3, 9);
  config.load.weight_bits = power(random, format.weight_bits > 8 ? 4 : 3, 9);
  config.load.input_burst_beats = random.uniform(1, 32);
  config.load.weight_burst_beats = random.uniform(1, 32);
  config.load.outstanding = random.uniform(1, 8);
  config.load.gap = random.uniform(0, 2);
  config.store = {power(random, 5, 8), random.uniform(1, 16), random.uniform(1, 8), random.uniform(1, 24),
                  random.uniform(40, 150)};
  config.clock_mhz = {random.uniform(2, 5) * 50, 1};
  config.port_mhz = {random.uniform(2, 6) * 50, 1};
  config.port.data_bits = power(random, 5, 7);
  config.port.burst_beats = 256;
  config.port.pins = random.chance(15);
  config.ddr.refresh_interval = random.uniform(300, 2000);
  config.host = {random.uniform(0, 3), 1, random.uniform(0, 3), 0, 0};
  return config;
}

// `extent`: the shorter side of the input.
std::string random_layer(base::Random& random, int index, int extent, bool zero_points) {
  const int kernel = random.chance(70) ? random.uniform(1, 4) : random.uniform(5, 7);
  const int groups = random.chance(70) ? 1 : random.chance(50) ? 12 : random.uniform(2, 4);
  const int filters = groups * random.uniform(1, groups == 12 ? 2 : 40 / groups);
  const std::string quant = zero_points && random.chance(40)
                                ? fmt::format(", quant: {{zero_point: {}}}", random.uniform(-1, 1))
                                : std::string();
  const int stride = random.uniform(1, 3), padding = random.uniform(0, kernel / 2);
  std::string layer = fmt::format(
      "  - {{name: l{}, input_from: input, type: conv, filters: {}, kernel: {}, stride: {}, groups: {}, padding: "
      "{}{}{}}}\n",
      index, filters, kernel, stride, groups, padding, random.chance(50) ? ", activation: relu" : "", quant);
  if ((extent + 2 * padding - kernel) / stride >= 2 && random.chance(60))
    layer += fmt::format("  - {{name: p{}, type: {}, kernel: {}, stride: {}, padding: {}, ceil_mode: {}}}\n", index,
                         random.chance(60) ? "maxpool" : "avgpool", random.uniform(2, 3), random.uniform(1, 2),
                         random.uniform(0, 1), random.chance(50) ? "true" : "false");
  return layer;
}

void check(std::uint64_t seed) {
  base::Random random(seed);
  const Format& format = kFormats[seed % std::size(kFormats)];
  const arch::TiledConfig config = random_config(random, format);
  const bool fine = format.grain == kFine;
  const int rows = random.uniform(9, 14), columns = random.uniform(9, 14);
  std::string yaml = fmt::format("input: {{shape: [12, {}, {}], type: {}}}\nlayers:\n", rows, columns,
                                 !fine && format.activation_bits < 16 && random.chance(30) ? "uint8" : "int8");
  for (int i = 0; i < 10; ++i)
    yaml += random_layer(random, i, std::min(rows, columns), !fine && format.activation_bits > 2);
  yaml += "  - {name: fc1, input_from: input, type: fc, units: 37, activation: relu}\n";
  // A vector of odd bits is written by tiles of whole words only, and tm is seldom a multiple of them.
  const bool bytes = config.output_encoding().byte_addressable();
  yaml += fmt::format("  - {{name: fc2, input_from: {}, type: fc, units: 11}}\n", bytes ? "fc1" : "input");
  INFO("seed " << seed << "\n" << yaml);
  std::string all;
  arch::TiledConfig copy = config;
  copy.visit_blocks([&](const char* key, auto& block) {
    for (const base::FieldRow& row : base::field_rows(block))
      all += fmt::format(" {}.{}={}", key, row.name, row.fallback);
  });
  INFO(fmt::format("clock {} port {}{}", config.clock_mhz.text(), config.port_mhz.text(), all));
  const auto run = test::run_machine(test::network_of(yaml, seed), config);
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}

}  // namespace

TEST_CASE("random tiled machine 1 computes random layers bit-exactly") { check(1); }
TEST_CASE("random tiled machine 2 computes random layers bit-exactly") { check(2); }
TEST_CASE("random tiled machine 3 computes random layers bit-exactly") { check(3); }
TEST_CASE("random tiled machine 4 computes random layers bit-exactly") { check(4); }
TEST_CASE("random tiled machine 5 computes random layers bit-exactly") { check(5); }
TEST_CASE("random tiled machine 6 computes random layers bit-exactly") { check(6); }
TEST_CASE("random tiled machine 7 computes random layers bit-exactly") { check(7); }
TEST_CASE("random tiled machine 8 computes random layers bit-exactly") { check(8); }
TEST_CASE("random tiled machine 9 computes random layers bit-exactly") { check(9); }
TEST_CASE("random tiled machine 10 computes random layers bit-exactly") { check(10); }
TEST_CASE("random tiled machine 11 computes random layers bit-exactly") { check(11); }
TEST_CASE("random tiled machine 12 computes random layers bit-exactly") { check(12); }
TEST_CASE("random tiled machine 13 computes random layers bit-exactly") { check(13); }
TEST_CASE("random tiled machine 14 computes random layers bit-exactly") { check(14); }
TEST_CASE("random tiled machine 15 computes random layers bit-exactly") { check(15); }
TEST_CASE("random tiled machine 16 computes random layers bit-exactly") { check(16); }
TEST_CASE("random tiled machine 17 computes random layers bit-exactly") { check(17); }
TEST_CASE("random tiled machine 18 computes random layers bit-exactly") { check(18); }
TEST_CASE("random tiled machine 19 computes random layers bit-exactly") { check(19); }
TEST_CASE("random tiled machine 20 computes random layers bit-exactly") { check(20); }
