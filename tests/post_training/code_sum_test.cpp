// SPDX-License-Identifier: Apache-2.0
#include "post_training/code_sum.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.h"

namespace fansim::code_sum_test {

using namespace post_training;

namespace {

Activation activation(double step, bool is_unsigned = false, int zero_point = 0, int bits = 8) {
  return {network::NumberFormat::codes(bits, is_unsigned, zero_point), step};
}

Activation random_activation(base::Random& random) {
  const bool is_unsigned = random.chance(50);
  const int zero_point = is_unsigned ? random.uniform(0, 255) : random.uniform(-128, 127);
  return activation(random.uniform(1, 1000) / 1000.0, is_unsigned, random.chance(40) ? 0 : zero_point);
}

// Holds, over all codes of both operands, the largest distance of the scaled sum from the exact one, and the largest
// sum.
struct Found {
  double error = 0;
  std::int64_t largest = 0;
};
Found all_sums(const IntegerSum& sum, const Activation& a, const Activation& b, const Activation& out) {
  Found found;
  for (int p = a.format.lowest(); p <= a.format.highest(); ++p)
    for (int q = b.format.lowest(); q <= b.format.highest(); ++q) {
      const int first = p - a.format.zero_point, second = q - b.format.zero_point;
      const std::int64_t value = sum.weights[0] * first + sum.weights[1] * second;
      const double scaled = std::ldexp(static_cast<double>(value) * sum.scale, -sum.shift);
      found.error = std::max(found.error, std::abs(scaled - (first * a.step + second * b.step) / out.step));
      found.largest = std::max(found.largest, std::abs(value));
    }
  return found;
}

}  // namespace

TEST_CASE("steps in the ratio of small integers make those the weights") {
  const IntegerSum sum = integer_sum(activation(0.03), activation(0.015), activation(0.04));
  CHECK(sum.weights == std::array<int, 2>{2, 1});
  CHECK(sum.error < 0.01);
  CHECK(integer_sum(activation(0.25), activation(1), activation(0.5)).weights == std::array<int, 2>{1, 4});
  CHECK(integer_sum(activation(0.25), activation(1), activation(0.5)).error == 0);
}

TEST_CASE("a sum in integers is off by what it says and fits the thesis's operand") {
  base::Random random(3);
  for (int i = 0; i < 40; ++i) {
    const Activation a = random_activation(random), b = random_activation(random);
    const Activation out = activation(std::max(a.step, b.step) * random.uniform(50, 300) / 100);
    const IntegerSum sum = integer_sum(a, b, out);
    const Found found = all_sums(sum, a, b, out);
    CAPTURE(a.step, b.step, out.step, sum.weights[0], sum.weights[1], sum.scale, sum.shift);
    CHECK(found.error <= sum.error + 1e-9);
    CHECK(found.largest <= 32767);
    for (const int weight : sum.weights) CHECK((weight >= 1 && weight <= 127));
  }
}

TEST_CASE("an add of one format stays as it is while of several it weighs and of too different ones it is the host's") {
  network::Layer layer;
  layer.operation = network::Addition{};
  REQUIRE(code_sum(activation(0.5), activation(0.5), activation(0.5), layer));
  CHECK(!layer.weighs());
  REQUIRE(code_sum(activation(0.5), activation(0.25), activation(0.5), layer));
  CHECK(layer.weighs());
  // The smallest possible weight of the second operand, beside the largest of the first, is eight times too large.
  layer = {};
  layer.operation = network::Addition{};
  layer.activation = network::Activation::relu;
  CHECK(!code_sum(activation(1), activation(0.001), activation(1), layer));
  REQUIRE(code_sum(activation(1), activation(0.001), activation(1, true), layer));
  CHECK(std::string(layer.kind()) == "sum");
  CHECK(layer.activation == network::Activation::none);
}

TEST_CASE("codes of 16 bits have weights as wide") {
  const IntegerSum sum =
      integer_sum(activation(0.1234, false, 0, 16), activation(0.3217, false, 0, 16), activation(0.4, false, 0, 16));
  CHECK(std::max(sum.weights[0], sum.weights[1]) > 127);
  CHECK(sum.error < 0.5);
}

}  // namespace fansim::code_sum_test
