// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "arith/fixed.h"
#include "base/random.h"
#include "support/quantisation.h"

namespace fansim::quantisation_methods_test {

using namespace arith;

namespace {

// Is a method as a user would add it: plain fixed point with a power-of-two step.
class FixedPoint final : public QuantisationMethod {
  class Codec final : public WeightCodec {
   public:
    using WeightCodec::WeightCodec;
    unsigned project(float value) const override {
      return static_cast<unsigned>(saturate(static_cast<std::int64_t>(value * 64), bits())) & (codes() - 1);
    }
    float inverse(unsigned code) const override { return static_cast<float>(integer(code)) * step(); }
    int integer(unsigned code) const override { return static_cast<int>(wrap(code, bits())); }
    float step() const override { return 1.0f / 64; }
    float product(unsigned code, int activation) const override {
      return static_cast<float>(integer(code) * activation);
    }
  };

 public:
  const char* name() const override { return "fixed_point"; }
  const char* meaning() const override { return "sixty-fourths"; }
  BitRange weight_bits() const override { return {4, 12}; }
  std::unique_ptr<WeightCodec> fit(const std::vector<float>&, int bits) const override {
    return std::make_unique<Codec>(bits);
  }
  double luts_per_mac(int weight_bits, int, Grain) const override { return weight_bits; }
};

int luts(const std::string& name, int weight_bits, int activation_bits, Grain grain) {
  return static_cast<int>(QuantisationMethods().find(name)->luts_per_mac(weight_bits, activation_bits, grain));
}

}  // namespace

TEST_CASE("the built-in methods are found by name and say what they are") {
  const QuantisationMethods methods;
  CHECK(methods.names() ==
        std::vector<std::string>{"bnn", "tnn", "mul2q", "dorefa", "vecq", "pot", "kmeans", "linear"});
  for (const std::string& name : methods.names()) {
    REQUIRE(methods.find(name) != nullptr);
    CHECK(methods.find(name)->name() == name);
    CHECK_FALSE(std::string(methods.find(name)->meaning()).empty());
  }
  CHECK(methods.find("dorfa") == nullptr);
  CHECK(methods.unknown("dorfa") == "quantisation 'dorfa' unknown; did you mean 'dorefa'?");
  CHECK(methods.unknown("xyzzy") ==
        "quantisation 'xyzzy' unknown; one of bnn, tnn, mul2q, dorefa, vecq, pot, kmeans, linear");
}

TEST_CASE("a method is added from outside") {
  QuantisationMethods methods;
  methods.add(std::make_unique<FixedPoint>());
  REQUIRE(methods.find("fixed_point") != nullptr);
  CHECK(methods.names().back() == "fixed_point");
  CHECK(methods.names().size() == 9);
  const auto codec = methods.find("fixed_point")->fit({}, 8);
  CHECK(codec->integer(codec->project(-0.5f)) == -32);
  CHECK(refusal(*methods.find("fixed_point"), 12, 8, Grain::fine).empty());
  methods.add(std::make_unique<FixedPoint>());
  CHECK(methods.names().size() == 9);
}

TEST_CASE("widths and grains that a method does not define are refused with the reason") {
  const QuantisationMethods methods;
  const auto why = [&](const char* name, int weight_bits, int activation_bits, Grain grain) {
    return refusal(*methods.find(name), weight_bits, activation_bits, grain);
  };
  CHECK(why("bnn", 2, 8, Grain::fine) == "weight_bits 2 is out of range for 'bnn'; allowed: 1");
  CHECK(why("tnn", 1, 8, Grain::coarse) == "weight_bits 1 is out of range for 'tnn'; allowed: 2");
  CHECK(why("pot", 8, 8, Grain::fine) == "weight_bits 8 is out of range for 'pot'; allowed: 3..5");
  CHECK(why("vecq", 0, 8, Grain::fine) == "weight_bits 0 is out of range for 'vecq'; allowed: 1..8");
  CHECK(why("dorefa", 8, 17, Grain::coarse) == "activation_bits 17 is out of range for 'dorefa'; allowed: 1..16");
  CHECK(why("dorefa", 8, 0, Grain::coarse) == "activation_bits 0 is out of range for 'dorefa'; allowed: 1..16");
  CHECK(why("kmeans", 4, 8, Grain::coarse) == "grain 'coarse' is not defined for 'kmeans'; did you mean 'fine'?");
  test::for_every_width([&](const QuantisationMethod& method, int bits) {
    for (int activation_bits = 1; activation_bits <= 16; ++activation_bits)
      CHECK(refusal(method, bits, activation_bits, Grain::fine).empty());
  });
}

TEST_CASE("published LUTs per MAC are given as such and all others as counted") {
  const QuantisationMethods methods;
  CHECK(luts("bnn", 1, 1, Grain::fine) == 6);
  CHECK(luts("bnn", 1, 8, Grain::fine) == 6);
  CHECK(luts("dorefa", 8, 8, Grain::coarse) == 89);
  CHECK(luts("dorefa", 8, 8, Grain::fine) == 89);
  CHECK(methods.find("bnn")->luts_stated(1, 8, Grain::fine));
  CHECK(methods.find("dorefa")->luts_stated(8, 8, Grain::coarse));
  CHECK_FALSE(methods.find("bnn")->luts_stated(1, 8, Grain::coarse));
  CHECK_FALSE(methods.find("bnn")->luts_stated(1, 16, Grain::fine));
  CHECK_FALSE(methods.find("dorefa")->luts_stated(8, 7, Grain::coarse));
  CHECK_FALSE(methods.find("vecq")->luts_stated(8, 8, Grain::coarse));
}

TEST_CASE("LUTs counted by hand") {
  CHECK(luts("dorefa", 4, 4, Grain::coarse) == 3 * 4 + 1 + 32);
  CHECK(luts("dorefa", 2, 8, Grain::coarse) == 1 * 8 + 1 + 32);
  CHECK(luts("tnn", 2, 8, Grain::fine) == 32);
  CHECK(luts("tnn", 2, 8, Grain::coarse) == 8 + 1 + 32);
  CHECK(luts("vecq", 4, 8, Grain::fine) == 4 * 8 + 32);
  CHECK(luts("pot", 4, 8, Grain::fine) == 11 + 1 + 32);
  CHECK(luts("pot", 4, 8, Grain::coarse) == 4 + 57 + 32);
  CHECK(luts("kmeans", 4, 8, Grain::fine) == 16 + 7 * 24 + 1 + 24 * 2 + 24 + 8 + 32);
}

TEST_CASE("bnn and (beyond 1-bit activations) pot take more LUTs coarse than fine and bnn the fewest of all") {
  for (int activation_bits = 1; activation_bits <= 16; ++activation_bits) {
    INFO(activation_bits << "-bit activations");
    CHECK(luts("bnn", 1, activation_bits, Grain::coarse) > luts("bnn", 1, activation_bits, Grain::fine));
    for (int bits = 3; bits <= 5 && activation_bits > 1; ++bits)
      CHECK(luts("pot", bits, activation_bits, Grain::coarse) > luts("pot", bits, activation_bits, Grain::fine));
    test::for_every_width([&](const QuantisationMethod& method, int bits) {
      if (std::string(method.name()) == "bnn") return;
      CHECK(method.luts_per_mac(bits, activation_bits, Grain::fine) > luts("bnn", 1, activation_bits, Grain::fine));
    });
  }
}

TEST_CASE("pot takes fewer LUTs than vecq at equal widths from 3-bit activations up") {
  for (int bits = 3; bits <= 5; ++bits) {
    for (int activation_bits = 3; activation_bits <= 16; ++activation_bits) {
      INFO(bits << "-bit weights, " << activation_bits << "-bit activations");
      CHECK(luts("pot", bits, activation_bits, Grain::fine) < luts("vecq", bits, activation_bits, Grain::fine));
    }
  }
}

TEST_CASE("a wider factor never takes fewer LUTs") {
  test::for_every_width([](const QuantisationMethod& method, int bits) {
    for (const Grain grain : {Grain::coarse, Grain::fine}) {
      if (!method.supports(grain)) continue;
      for (int activation_bits = 2; activation_bits <= 16; ++activation_bits) {
        INFO(method.name() << " " << bits << ", " << activation_bits << " bits " << grain_name(grain));
        const double luts = method.luts_per_mac(bits, activation_bits, grain);
        CHECK(luts >= method.luts_per_mac(bits, activation_bits - 1, grain));
        if (bits > method.weight_bits().lo) CHECK(luts >= method.luts_per_mac(bits - 1, activation_bits, grain));
      }
    }
  });
}

TEST_CASE("no weight becomes an integer below its method's bound") {
  constexpr std::uint64_t kSeed = 52;
  INFO("seed " << kSeed);
  base::Random random(kSeed, "weights");
  test::for_every_width([&](const QuantisationMethod& method, int bits) {
    INFO(method.name() << " " << bits);
    std::vector<float> weights;
    for (int i = 0; i < 200; ++i) weights.push_back(static_cast<float>(random.uniform(-4000, 1000)) / 1000);
    const std::unique_ptr<WeightCodec> codec = method.fit(weights, bits);
    for (const float weight : weights)
      CHECK(codec->integer(codec->project(codec->prepare(weight))) >= method.lowest_integer(bits));
  });
  CHECK(QuantisationMethods().find("dorefa")->lowest_integer(8) == -127);
  CHECK(QuantisationMethods().find("linear")->lowest_integer(8) == -128);
}

}  // namespace fansim::quantisation_methods_test
