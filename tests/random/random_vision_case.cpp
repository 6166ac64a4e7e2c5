// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/vision/config/config.h"
#include "base/fields.h"
#include "base/random.h"
#include "random/random_case.h"
#include "random/random_memory.h"

namespace fansim::test {
namespace {

const std::string kBase = "configs/systems/vision_zcu102.yaml";

int power(base::Random& random, int from, int to) { return 1 << random.uniform(from, to); }

void random_units(base::Random& random, vision::Config& config) {
  config.filter.kernel = 2 * random.uniform(1, 3) + 1;
  config.filter.banks = random.uniform(1, 2);
  config.filter.terms = random.uniform(2, 7);
  config.filter.rebase = random.chance(70);
  config.filter.scaler = random.chance(70) ? vision::Scaler::reciprocal : vision::Scaler::shift;
  config.median.kernel = random.chance(50) ? 3 : 5;
  config.median.network = static_cast<arith::MedianNetwork>(random.uniform(0, 2));
  config.median.mode = random.chance(70) ? vision::SimdMode::two24 : vision::SimdMode::four12;
  config.simd.mode = random.chance(80) ? vision::SimdMode::two24 : vision::SimdMode::four12;
  config.simd.multipliers = random.chance(70);
  do {
    config.pixels.samples = power(random, 0, 3);
  } while (2 * config.pixels.samples * config.filter.banks > config.axi.beat_bytes());
  config.pixels.line_samples = random.chance(50) ? random.uniform(64, 260) : 2048;
  config.pixels.fifo_beats = random.chance(50) ? random.uniform(2, 30) : random.uniform(30, 200);
}

std::string border(base::Random& random) {
  const int kind = random.uniform(0, 3);
  if (kind == 0) return ", border: valid";
  return kind == 1 ? fmt::format(", border: constant, border_value: {}", random.uniform(0, 255)) : "";
}

std::string coefficients(base::Random& random, int kernel, bool large) {
  const int most = large && random.chance(30) ? 128 : 12;
  std::string rows;
  for (int y = 0; y < kernel; ++y) {
    std::string row;
    for (int x = 0; x < kernel; ++x)
      row += fmt::format("{}{}", x == 0 ? "" : ", ", random.uniform(-most, most == 128 ? 127 : most));
    rows += fmt::format("{}[{}]", y == 0 ? "" : ", ", row);
  }
  return fmt::format("[{}]", rows);
}

// Draws the function of a stage; nearly always one that the machine's units support.
std::string random_function(base::Random& random, const vision::Config& config, const std::string& other) {
  const bool any = random.chance(5);
  const auto narrow = [&](vision::SimdMode mode) { return mode == vision::SimdMode::four12 && !any; };
  switch (random.uniform(0, 13)) {
    case 0:
      if (any || config.filter.scaler == vision::Scaler::reciprocal) return "box3x3" + border(random);
      [[fallthrough]];
    case 1:
      return "gaussian3x3" + border(random);
    case 2:
      if (any || config.filter.banks == 2) return "sobel3x3" + border(random);
      [[fallthrough]];
    case 3:
    case 4:
    case 5:
      return fmt::format("convolution, coefficients: {}, scale: {}{}{}",
                         coefficients(random, 2 * random.uniform(1, any ? 3 : config.filter.kernel / 2) + 1,
                                      any || config.filter.rebase),
                         power(random, 0, 8), border(random), random.chance(30) ? ", result: int16" : "");
    case 6:
      return (random.chance(50) ? "dilate3x3" : "erode3x3") + border(random);
    case 7:
    case 8:
      return (random.chance(60) || (config.median.kernel == 3 && !any) ? "median3x3" : "median5x5") + border(random);
    case 9:
      return random.chance(50) ? fmt::format("threshold, value: {}", random.uniform(0, 255))
                               : fmt::format("threshold, lower: {}, upper: {}, true_value: {}", random.uniform(0, 99),
                                             random.uniform(99, 255), random.uniform(0, 255));
    case 10:
      return "bitwise_not";
    case 11:
      if (narrow(config.simd.mode)) return "bitwise_not";
      return fmt::format("{}, with: {}{}", random.chance(50) ? "add" : "subtract", other,
                         random.chance(50) ? ", policy: wrap" : ", result: int16");
    case 12:
      return fmt::format("{}, with: {}", random.chance(50) ? "absdiff" : "bitwise_xor", other);
    default:
      if (!any && !config.simd.multipliers) return "bitwise_not";
      return random.chance(50) ? fmt::format("multiply, shift: {}, with: {}", random.uniform(0, 8), other)
                               : fmt::format("accumulate_weighted, alpha: 0.3, with: {}", other);
  }
}

}  // namespace

// Half of the stages read the one before, so that paths form; the rest the input.
Case random_vision_case(std::uint64_t seed) {
  base::Random random(seed, "vision");
  Case c;
  c.base = kBase;
  c.list = "stages";
  if (random.chance(35)) c.settings = banked_settings(seed);
  vision::Config config = vision::Config::read(std::string(FANSIM_SOURCE_DIR "/") + kBase, c.settings);
  const std::vector<std::string> before = fields_of(config);
  random_memory(random, 13, config);
  config.software.cycles_per_sample = random.uniform(1, 5);
  random_units(random, config);
  const std::vector<std::string> after = fields_of(config);
  for (std::size_t i = 0; i < after.size(); ++i)
    if (after[i] != before[i]) c.settings.push_back(after[i]);
  const int channels = random.uniform(1, 3);
  const int width = random.chance(20) ? random.uniform(1, 9) : random.uniform(5, 400 / channels);
  const int height = random.chance(20) ? random.uniform(1, 9) : random.uniform(5, 40);
  c.input = fmt::format("{{width: {}, height: {}, channels: {}}}", width, height, channels);
  base::Random second(seed, "picture");  // a stream of its own, so that all other draws stay the same
  const bool picture = channels != 2 && second.chance(40);
  if (picture)
    c.layers.push_back(fmt::format("  - {{name: p, function: picture, width: {}, height: {}, channels: {}}}\n", width,
                                   height, channels));
  // It has 8 bits and the input's size, so that any stage accepts it.
  std::string last = "input";
  for (int i = 0; i < 5; ++i) {
    const std::string from = random.chance(60) ? last : "input";
    const std::string function = random_function(random, config, random.chance(50) ? last : picture ? "p" : "input");
    c.layers.push_back(fmt::format("  - {{name: s{}, input_from: {}, function: {}}}\n", i, from, function));
    const auto has = [&function](const char* word) { return function.find(word) != std::string::npos; };
    if ((!has("sobel") && !has("int16") && !has("valid")) || random.chance(3)) last = fmt::format("s{}", i);
  }
  give_costs_as_times(seed, c);
  add_share(seed, c);
  leave_out_idle(config, c.settings);
  return c;
}

}  // namespace fansim::test
