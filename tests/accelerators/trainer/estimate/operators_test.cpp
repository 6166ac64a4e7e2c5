// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/estimate/operators.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "accelerators/trainer/compile/prepare.h"
#include "network/network.h"

namespace fansim::operators_test {

using namespace trainer;
using estimate::FloatOperator;

namespace {

Config machine(const std::vector<std::string>& overrides = {}) {
  return Config::read(FANSIM_SOURCE_DIR "/configs/systems/float_trainer.yaml", overrides);
}

// Returns the publication's network.
Job digits(const Config& config, Command command) {
  network::LoadOptions none;
  none.values = false;
  Job job = std::get<Job>(describe(network::load_network(FANSIM_SOURCE_DIR "/models/digits.yaml", none), config));
  job.command = command;
  return job;
}

std::vector<std::string> everywhere(int exponent, int mantissa) {
  std::vector<std::string> set;
  for (const char* key : {"pooling.", "softmax.", "convolution.forward_", "convolution.backward_", "convolution.sum_",
                          "convolution.weights_", "fc1.forward_", "fc1.backward_", "fc1.sum_", "fc1.weights_",
                          "fc2.forward_", "fc2.backward_", "fc2.sum_", "fc2.weights_"}) {
    set.push_back(fmt::format("{}exponent={}", key, exponent));
    set.push_back(fmt::format("{}mantissa={}", key, mantissa));
  }
  return set;
}

std::int64_t operations(const std::vector<OperatorWork>& work, FloatOperator which) {
  std::int64_t sum = 0;
  for (const OperatorWork& one : work) sum += one.which == which ? one.operations : 0;
  return sum;
}

double power_mw(const Config& config, std::int64_t cycles) {
  const double gates = *switched(operator_work(config, digits(config, Command::train)), cycles);
  return estimate::tsmc55().energy_pj(gates) * config.clock_hz() / static_cast<double>(cycles) * 1e-9;
}

constexpr std::int64_t kCycles = 26'278;  // cycles of a training image (docs/trainer.md)

}  // namespace

TEST_CASE("an image's operations are the publication's products and its weights and ten values of softmax") {
  const Config config = machine();
  const auto train = operator_work(config, digits(config, Command::train));
  CHECK(train.size() == 20);
  CHECK(operations(train, FloatOperator::multiplier) == 9116 + 11176 + 2096);
  CHECK(operations(train, FloatOperator::adder) == 9116 + 11176 + 2096 + 30);
  CHECK(operations(train, FloatOperator::array_divider) == 10);
  const auto infer = operator_work(config, digits(config, Command::infer));
  CHECK(operations(infer, FloatOperator::multiplier) == 9116);
  CHECK(operations(infer, FloatOperator::adder) == 9116 + 20);
  CHECK(infer.size() == train.size());  // their registers are clocked all the same
}

TEST_CASE("products have the format of their direction and sums their own and the update that of the weights") {
  const Config config = machine({"fc1.weights_mantissa=11"});
  const auto work = operator_work(config, digits(config, Command::train));
  CHECK(work[6].which == FloatOperator::multiplier);
  CHECK(work[6].format == arith::kBrain16);
  CHECK(work[6].operations == 1960);
  CHECK(work[7].format == arith::kCustom24);
  CHECK(work[10].format == arith::FloatFormat{8, 11});
  CHECK(work[11].format == arith::FloatFormat{8, 11});
  CHECK(work[11].operations == 1960);
}

TEST_CASE("what switches is the operations' and the clock's cycle by cycle") {
  const std::vector<OperatorWork> work{{FloatOperator::adder, arith::kBrain16, 0, 3}};
  const estimate::FloatGates& adder = *estimate::find_float_gates(FloatOperator::adder, 8, 7);
  CHECK(*switched(work, 100) == Approx(3 * adder.toggles + 100 * adder.registers * estimate::cells::kClocked));
  CHECK_FALSE(switched({{FloatOperator::adder, {8, 9}, 0, 3}}, 100));
}

TEST_CASE("custom-24 takes the 30 mW that a gate's energy is fitted to while 58 % and 8.5 uJ are missed") {
  const double custom_24 = power_mw(machine(everywhere(8, 15)), kCycles);
  CHECK(custom_24 == Approx(30).epsilon(0.001));
  // These are predictions. The paper has 58 % above 16 bits, and 8.5 uJ in the mix.
  CHECK(custom_24 / power_mw(machine(everywhere(8, 7)), kCycles) == Approx(1.957).epsilon(0.005));
  CHECK(custom_24 / power_mw(machine(everywhere(6, 9)), kCycles) == Approx(1.773).epsilon(0.005));
  CHECK(power_mw(machine(), kCycles) * kCycles / 100e6 * 1e3 == Approx(6.34).epsilon(0.005));
}

TEST_CASE("a reciprocal divider is known with a table of six bits and one or two iterations") {
  const auto known = [](const char* set) {
    const Config config = machine({"softmax.divider=reciprocal", set});
    return switched(operator_work(config, digits(config, Command::train)), kCycles).has_value();
  };
  CHECK(known("softmax.iterations=2"));
  CHECK(known("softmax.iterations=1"));
  CHECK_FALSE(known("softmax.iterations=3"));
  CHECK_FALSE(known("softmax.seed_bits=5"));
}

}  // namespace fansim::operators_test
