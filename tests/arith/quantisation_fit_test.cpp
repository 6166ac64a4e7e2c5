// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "support/quantisation.h"

namespace fansim::quantisation_fit_test {

using namespace arith;

namespace {

std::unique_ptr<WeightCodec> fit(const std::string& name, const std::vector<float>& weights, int bits) {
  return QuantisationMethods().find(name)->fit(weights, bits);
}

// Returns the integer that each weight becomes.
std::vector<int> integers(const WeightCodec& codec, const std::vector<float>& weights) {
  std::vector<int> found;
  for (const float weight : weights) found.push_back(codec.integer(codec.project(codec.prepare(weight))));
  return found;
}

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("bnn: a code is the sign and zero is positive") {
  const std::vector<float> weights{-0.5f, -0.001f, 0, 0.001f, 7};
  CHECK(integers(*fit("bnn", weights, 1), weights) == Ints{-1, -1, 1, 1, 1});
}

TEST_CASE("tnn: the threshold is 0.7 of the mean magnitude and the scale is the mean of those above it") {
  // E|w| = 2, so the threshold is 1.4; above it lie 2, 3 and 4, whose mean is 3.
  const std::vector<float> weights{0.5f, -0.5f, 2, -3, 4};
  const auto codec = fit("tnn", weights, 2);
  CHECK(integers(*codec, weights) == Ints{0, 0, 1, -1, 1});
  CHECK(codec->step() == 3);
  CHECK(codec->project(1.39f) == 0);
  CHECK(codec->project(1.41f) == 1);
  CHECK(codec->project(-1.41f) == 3);
}

TEST_CASE("dorefa: even levels of the limited weight") {
  const auto weight = [](double tanh) { return static_cast<float>(std::atanh(tanh)); };
  // tanh / max: 1, -0.5, 0.2, -0.16; three bits have levels of thirds.
  const std::vector<float> weights{weight(0.8), weight(-0.4), weight(0.16), weight(-0.12)};
  CHECK(integers(*fit("dorefa", weights, 3), weights) == Ints{3, -2, 1, 0});
  CHECK(integers(*fit("dorefa", weights, 2), weights) == Ints{1, -1, 0, 0});
  CHECK(integers(*fit("dorefa", weights, 8), weights) == Ints{127, -64, 25, -19});
  CHECK(integers(*fit("dorefa", weights, 16), weights)[0] == 32767);
  CHECK(fit("dorefa", weights, 8)->step() == 1.0f / 127);
}

TEST_CASE("dorefa of one bit: the sign times the mean magnitude") {
  const std::vector<float> weights{1, -2, 3};
  const auto codec = fit("dorefa", weights, 1);
  CHECK(integers(*codec, weights) == Ints{1, -1, 1});
  CHECK(codec->inverse(1) == 2);
  CHECK(codec->inverse(0) == -2);
}

TEST_CASE("mul2q: levels of the normal distribution's interval about the mean") {
  // Mean 1, standard deviation 2: at two bits the interval is 2 * 0.9894.
  const std::vector<float> weights{-1, 3, -1, 3};
  const auto codec = fit("mul2q", weights, 2);
  CHECK(codec->step() == static_cast<float>(0.9894));
  CHECK(integers(*codec, {1.1f, 0.9f, 2.9f, 3.1f, -0.9f, -1.1f, 99, -99}) == Ints{1, -1, 1, 3, -1, -3, 3, -3});
  const auto one = fit("mul2q", weights, 1);
  CHECK(integers(*one, {99, 1.1f, 0.9f, -99}) == Ints{1, 1, -1, -1});
  CHECK(one->inverse(0) == static_cast<float>(1.5959));
}

TEST_CASE("mul2q's intervals lose no more than 1 % beyond the best for a normal distribution") {
  // Mean squared error of interval-wide levels, summed over a fine grid of the standard normal density.
  const auto loss = [](int bits, double interval) {
    const double last = std::ldexp(1, bits - 1) - 0.5;
    double sum = 0, weight = 0;
    for (double x = -6; x <= 6; x += 0.001) {
      const double level = std::max(-last, std::min(last, std::floor(x / interval) + 0.5));
      const double density = std::exp(-x * x / 2);
      sum += density * (x - level * interval) * (x - level * interval);
      weight += density;
    }
    return sum / weight;
  };
  // A codec of mean 0 and deviation 1 has half the interval as its step.
  for (int bits = 1; bits <= 8; ++bits) {
    const double interval = 2 * fit("mul2q", {-1, 1}, bits)->step();
    double best = std::numeric_limits<double>::max();
    for (double factor = 0.8; factor < 1.2; factor += 0.005) best = std::min(best, loss(bits, interval * factor));
    INFO(bits << " bits, interval " << interval);
    CHECK(loss(bits, interval) <= 1.01 * best);
  }
}

TEST_CASE("vecq: steering chooses the codes while driving chooses the length") {
  // Mean 0, deviation sqrt(5); at two bits the steering interval is 2.2265, so 1 -> 1/2 and 3 -> 3/2.
  const std::vector<float> weights{1, -1, 3, -3};
  const auto codec = fit("vecq", weights, 2);
  CHECK(integers(*codec, weights) == Ints{1, -1, 3, -3});
  // (w . level) / (level . level) = (2 * 0.5 + 6 * 1.5) / (2 * 0.25 + 2 * 2.25) = 2, so a step is 1.
  CHECK(codec->step() == 1);
  CHECK(integers(*codec, {2.2f, 2.3f, -2.2f, -2.3f}) == Ints{1, 3, -1, -3});
}

TEST_CASE("vecq: no other length is nearer to the weights") {
  const std::vector<float> weights = test::bell(3000, 11, 0.05);
  for (int bits = 1; bits <= 8; ++bits) {
    const auto codec = fit("vecq", weights, bits);
    const std::vector<int> levels = integers(*codec, weights);
    const auto loss = [&](double step) {
      double sum = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) sum += std::pow(weights[i] - levels[i] * step, 2);
      return sum;
    };
    INFO(bits << " bits");
    CHECK(loss(codec->step()) < loss(codec->step() * 1.001));
    CHECK(loss(codec->step()) < loss(codec->step() * 0.999));
  }
}

TEST_CASE("pot: powers of two below the largest weight with the sign on top") {
  // The largest, 0.9, rounds to 2^0; three bits reach down to 2^-2, and below 2^-2.5 is zero.
  const std::vector<float> weights{0.9f, -0.3f, 0.18f, 0.17f, -0.7f, -0.71f};
  const auto codec = fit("pot", weights, 3);
  CHECK(integers(*codec, weights) == Ints{4, -1, 1, 0, -2, -4});
  CHECK(codec->step() == 0.25f);
  CHECK(codec->project(0.9f) == 0b011);
  CHECK(codec->project(-0.3f) == 0b101);
  CHECK(codec->project(100) == 0b011);
  CHECK(fit("pot", weights, 5)->integer(0b11111) == -16384);
}

TEST_CASE("kmeans: centroids are the means of their weights") {
  const std::vector<float> weights{-1.5f, -1.0f, -0.5f, 0.5f, 1, 4, 5};
  const auto codec = fit("kmeans", weights, 2);
  // From -1.5, 0.67, 2.83, 5 the first round takes {-1.5 .. -0.5}, {0.5, 1}, {} and {4, 5}.
  CHECK(codec->inverse(0) == -1);
  CHECK(codec->inverse(1) == 0.75f);
  CHECK(codec->inverse(3) == 4.5f);
  CHECK(codec->operand(3) == 4.5f);
  const auto uneven = fit("kmeans", {0, 1, 2, 9, 10}, 1);
  CHECK(uneven->inverse(0) == 1);
  CHECK(uneven->inverse(1) == 9.5f);
}

TEST_CASE("kmeans is nearer to the weights than even levels are") {
  const std::vector<float> weights = test::bell(5000, 13);
  const auto loss = [&](const WeightCodec& codec) {
    double sum = 0;
    for (const float weight : weights) sum += std::pow(weight - codec.inverse(codec.project(weight)), 2);
    return sum;
  };
  for (int bits = 2; bits <= 6; ++bits) {
    CHECK(loss(*fit("kmeans", weights, bits)) < loss(*fit("mul2q", weights, bits)));
  }
}

}  // namespace fansim::quantisation_fit_test
