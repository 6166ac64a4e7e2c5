// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "support/quantisation.h"

namespace fansim::quantisation_test {

using namespace arith;
using test::for_every_codec;

namespace {

// tnn and pot have a code for a second zero.
bool second_zero(const std::string& method, const WeightCodec& codec, unsigned code) {
  return (method == "tnn" || method == "pot") && code == codec.codes() / 2;
}

// Returns ascending values that reach beyond those of all codes.
std::vector<float> values_around(const WeightCodec& codec) {
  float reach = 0;
  for (unsigned code = 0; code < codec.codes(); ++code) reach = std::max(reach, std::abs(codec.inverse(code)));
  std::vector<float> values;
  for (int i = -4000; i <= 4000; ++i) values.push_back(reach * 1.3f * static_cast<float>(i) / 4000);
  return values;
}

}  // namespace

TEST_CASE("what a code stands for projects to the code") {
  for_every_codec([](const QuantisationMethod& method, const WeightCodec& codec) {
    INFO(method.name() << " of " << codec.bits() << " bits");
    for (unsigned code = 0; code < codec.codes(); ++code) {
      const unsigned expected = second_zero(method.name(), codec, code) ? 0 : code;
      if (codec.project(codec.inverse(code)) != expected) FAIL("code " << code);
    }
  });
}

TEST_CASE("a coarse code is an integer of at most 16 bits in steps") {
  for_every_codec([](const QuantisationMethod& method, const WeightCodec& codec) {
    if (!method.supports(Grain::coarse)) return;
    INFO(method.name() << " of " << codec.bits() << " bits");
    for (unsigned code = 0; code < codec.codes(); ++code) {
      REQUIRE(std::abs(codec.integer(code)) <= 32768);
      REQUIRE(codec.inverse(code) == static_cast<float>(codec.integer(code)) * codec.step());
    }
  });
}

TEST_CASE("the fine operator computes operand times activation for every code and activation up to 8 bits") {
  for_every_codec([](const QuantisationMethod& method, const WeightCodec& codec) {
    if (codec.bits() > 8) return;
    INFO(method.name() << " of " << codec.bits() << " bits");
    for (unsigned code = 0; code < codec.codes(); ++code) {
      for (int activation = -255; activation <= 255; ++activation) {
        if (codec.product(code, activation) != codec.operand(code) * static_cast<float>(activation))
          FAIL("code " << code << ", activation " << activation);
      }
    }
  });
}

TEST_CASE("the fine operator computes operand times activation at 16 bits at extremes and at random") {
  for_every_codec([](const QuantisationMethod& method, const WeightCodec& codec) {
    INFO(method.name() << " of " << codec.bits() << " bits");
    base::Random random(3);
    for (int i = 0; i < 2000; ++i) {
      const auto code = static_cast<unsigned>(random.uniform(0, static_cast<int>(codec.codes()) - 1));
      const int activation = i % 10 == 0 ? -65535 : random.uniform(-65535, 65535);
      REQUIRE(codec.product(code, activation) == codec.operand(code) * static_cast<float>(activation));
    }
  });
}

TEST_CASE("coarse and fine sums are equal while floats are exact") {
  for_every_codec([](const QuantisationMethod& method, const WeightCodec& codec) {
    if (!method.supports(Grain::coarse) || codec.bits() > 8) return;
    INFO(method.name() << " of " << codec.bits() << " bits");
    base::Random random(5);
    std::int64_t coarse = 0;
    float fine = 0;
    for (int i = 0; i < 400; ++i) {
      const auto code = static_cast<unsigned>(random.uniform(0, static_cast<int>(codec.codes()) - 1));
      const int activation = random.uniform(-128, 127);
      if (std::abs(coarse) + std::abs(codec.integer(code) * activation) >= 1 << 24) break;
      coarse += codec.integer(code) * activation;
      fine += codec.product(code, activation);
    }
    CHECK(fine == static_cast<float>(coarse));
  });
}

TEST_CASE("greater values never project to lesser ones") {
  for_every_codec([](const QuantisationMethod& method, const WeightCodec& codec) {
    INFO(method.name() << " of " << codec.bits() << " bits");
    float before = codec.inverse(codec.project(-1e9f));
    for (const float value : values_around(codec)) {
      const float after = codec.inverse(codec.project(value));
      REQUIRE(after >= before);
      before = after;
    }
    CHECK(codec.inverse(codec.project(1e9f)) >= before);
  });
}

TEST_CASE("no code's value is nearer than the projected one's by the method's own distance") {
  for_every_codec([](const QuantisationMethod& method, const WeightCodec& codec) {
    const std::string name = method.name();
    if (name == "tnn" || codec.bits() > 10) return;  // a threshold, not a distance
    INFO(name << " of " << codec.bits() << " bits");
    for (const float value : values_around(codec)) {
      if (value == 0) continue;
      const auto distance = [&](unsigned code) -> double {
        const double to = codec.inverse(code);
        if (name != "pot") return std::abs(value - to);
        if (to == 0) return std::abs(std::log2(std::abs(value)) - std::log2(codec.step() / 2));  // one power below
        return value * to > 0 ? std::abs(std::log2(value / to)) : 1e9;
      };
      const double found = distance(codec.project(value));
      for (unsigned code = 0; code < codec.codes(); ++code) {
        if (name == "pot" && codec.inverse(code) == 0 && std::abs(value) < codec.step() / 2) continue;
        if (distance(code) < found - 1e-6 * std::abs(value)) FAIL("value " << value << ", code " << code);
      }
    }
  });
}

TEST_CASE("weights that are all equal or all zero are quantised too") {
  test::for_every_width([](const QuantisationMethod& method, int bits) {
    for (const float weight : {0.0f, 0.25f, -3.0f}) {
      INFO(method.name() << " of " << bits << " bits, weights of " << weight);
      const auto codec = method.fit(std::vector<float>(10, weight), bits);
      for (unsigned code = 0; code < codec->codes(); ++code) {
        REQUIRE(std::isfinite(codec->inverse(code)));
        if (!second_zero(method.name(), *codec, code)) REQUIRE(codec->project(codec->inverse(code)) == code);
      }
      CHECK(codec->project(codec->prepare(weight)) < codec->codes());
    }
  });
}

TEST_CASE("one weight is enough for a fit") {
  test::for_every_width([](const QuantisationMethod& method, int bits) {
    INFO(method.name() << " of " << bits << " bits");
    const auto codec = method.fit({0.5f}, bits);
    CHECK(codec->project(codec->prepare(0.5f)) < codec->codes());
  });
}

}  // namespace fansim::quantisation_test
