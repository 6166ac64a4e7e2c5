// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/trainer/config/config.h"
#include "base/fields.h"
#include "base/random.h"
#include "random/random_case.h"
#include "random/random_memory.h"

namespace fansim::test {
namespace {

const std::string kBase = "configs/systems/float_trainer.yaml";

arith::FloatFormat random_format(base::Random& random) {
  if (random.chance(20)) return {8, 23};
  return {random.uniform(random.chance(10) ? 2 : 5, 8), random.uniform(1, 23)};
}

void random_block(base::Random& random, trainer::WeightedConfig& block) {
  block.forward = random_format(random);
  block.backward = random_format(random);
  block.weights = random_format(random);
  const auto hold = [](const arith::FloatFormat& a, const arith::FloatFormat& b) {
    return arith::FloatFormat{std::max(a.exponent_bits, b.exponent_bits), std::max(a.mantissa_bits, b.mantissa_bits)};
  };
  block.sum = hold(block.forward, block.backward);
  if (random.chance(50)) block.sum = hold(block.sum, random_format(random));
  block.accumulators = random.chance(40) ? random.uniform(1, 4) : random.uniform(1, 40);
}

void random_arithmetic(base::Random& random, trainer::Config& config) {
  random_block(random, config.convolution);
  random_block(random, config.fc1);
  random_block(random, config.fc2);
  config.pooling.format = random_format(random);
  config.softmax.format = random_format(random);
  config.softmax.divider = random.chance(50) ? trainer::Divider::array : trainer::Divider::reciprocal;
  config.softmax.array.rows_per_stage = random.uniform(1, 64);
  config.softmax.reciprocal = {random.uniform(2, 12), random.uniform(0, 6)};
  config.arithmetic.rounding = random.chance(50) ? arith::FloatRounding::truncate : arith::FloatRounding::nearest_even;
  config.update.learning_rate = random.chance(20) ? 1 : random.uniform(1, 200) / 1000.0;
}

const char* relu(base::Random& random) { return random.chance(60) ? ", activation: relu" : ""; }

}  // namespace

// Draws convolutions and poolings, then fully connected layers, and now and then a layer that does not fit its input.
Case random_trainer_case(std::uint64_t seed) {
  base::Random random(seed, "trainer");
  Case c;
  c.base = kBase;
  if (random.chance(35)) c.settings = banked_settings(seed);
  trainer::Config config = trainer::Config::read(std::string(FANSIM_SOURCE_DIR "/") + kBase, c.settings);
  const std::vector<std::string> before = fields_of(config);
  random_memory(random, 14, config);
  random_arithmetic(random, config);
  const std::vector<std::string> after = fields_of(config);
  for (std::size_t i = 0; i < after.size(); ++i)
    if (after[i] != before[i]) c.settings.push_back(after[i]);
  c.input = fmt::format("{{shape: [1, {}, {}], type: uint8}}", random.uniform(4, 14), random.uniform(4, 14));
  int number = 0;
  const auto add = [&](const std::string& layer) {
    c.layers.push_back(fmt::format("  - {{name: l{}, {}}}\n", number++, layer));
  };
  for (int i = random.uniform(0, 3); i > 0; --i) {
    if (random.chance(35)) {
      add(fmt::format("type: maxpool, kernel: {}", random.uniform(1, 3)));
    } else {
      const int kernel = random.uniform(1, 3);
      add(fmt::format("type: conv, filters: {}, kernel: {}, stride: {}, padding: [{}, {}, {}, {}]{}",
                      random.uniform(1, 5), kernel, random.uniform(1, 3), random.uniform(0, kernel),
                      random.uniform(0, kernel), random.uniform(0, 2), random.uniform(0, 2), relu(random)));
    }
  }
  if (random.chance(30)) add("type: flatten");
  for (int i = random.uniform(number == 0 ? 1 : 0, 3); i > 0; --i)
    add(fmt::format("type: fc, units: {}{}", random.uniform(1, 24), relu(random)));
  add("type: softmax");
  give_costs_as_times(seed, c);
  add_share(seed, c);
  leave_out_idle(config, c.settings);
  return c;
}

}  // namespace fansim::test
