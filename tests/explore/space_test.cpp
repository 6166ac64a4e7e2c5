// SPDX-License-Identifier: Apache-2.0
#include "explore/space.h"

#include <catch2/catch.hpp>

#include "synthetic.h"

namespace fansim::space_test {

using namespace explore;

namespace {

std::vector<std::string> values_of(const std::string& form) {
  const Space space = test::space_of("parameters: {a: " + form + "}\nobjectives: [lut]\n");
  std::vector<std::string> texts;
  for (const Value& value : space.parameters[0].values) texts.push_back(value.text);
  return texts;
}

// Returns the message without the file's name.
std::string refused(const std::string& yaml) {
  const std::string message = test::message_of([&] { test::space_of(yaml); });
  const std::size_t name = message.find("space.yaml:");
  return name == std::string::npos ? message : message.substr(name + 11);
}
std::string refused_parameter(const std::string& form) {
  return refused("parameters: {a: " + form + "}\nobjectives: [lut]\n");
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("values are lists or ranges or powers of two or divisors with numbers in rising order") {
  CHECK(values_of("[4, 2, 16]") == Texts{"2", "4", "16"});
  CHECK(values_of("[true, false]") == Texts{"false", "true"});
  CHECK(values_of("[lut, bram]") == Texts{"lut", "bram"});
  CHECK(values_of("[1000/3, 250]") == Texts{"250", "1000/3"});
  // No number is so large: a word.
  CHECK(values_of("[1e308/1e-308, lut]") == Texts{"1e308/1e-308", "lut"});
  CHECK(refused_parameter("[1e308/1e-308, 250]").find("numbers and words in one list") != std::string::npos);
  CHECK(values_of("{range: [3, 6]}") == Texts{"3", "4", "5", "6"});
  CHECK(values_of("{range: [1, 10, 4]}") == Texts{"1", "5", "9"});
  CHECK(values_of("{powers_of_two: [3, 64]}") == Texts{"4", "8", "16", "32", "64"});
  CHECK(values_of("{divisors: 12}") == Texts{"1", "2", "3", "4", "6", "12"});
}

TEST_CASE("least_waste_of keeps the least factor for every number of turns") {
  // 10 elements: 1 turn of 10, 2 of 5, 3 of 4, 4 or 5 of 3 or 2, 10 of 1.
  CHECK(values_of("{range: [1, 12], least_waste_of: [10]}") == Texts{"1", "2", "3", "4", "5", "10"});
  CHECK(values_of("{range: [1, 12], least_waste_of: [10, 7]}") == Texts{"1", "2", "3", "4", "5", "7", "10"});
}

TEST_CASE("FAQ-CNN's space has 10^13 points and 10^9 once factors that compute nothing more are left out") {
  const Space space = test::space_of(
      "parameters:\n"
      "  conv.tm: {range: [1, 384]}\n"
      "  conv.tn: {range: [1, 384]}\n"
      "  alpha: [false, true]\n"
      "  fc.tm: {range: [1, 4096], least_waste_of: [4096]}\n"
      "  fc.tn: {range: [1, 9216], least_waste_of: [9216]}\n"
      "objectives: [latency_ms]\n");
  CHECK(space.raw_count() == 384. * 384 * 2 * 4096 * 9216);
  CHECK(space.count() == 384. * 384 * 2 * 127 * 191);
}

TEST_CASE("a point sets what every point sets with its parameters and what follows from them") {
  const Space space = test::space_of(
      "parameters: {conv.tm: [64, 128], conv.tn: [24], weights.level1: [lut, bram]}\n"
      "set: {clock_mhz: 200}\n"
      "derived: {conv.dsp_channels: \"min(conv.tm, floor(2394 / conv.tn))\", weights.kib: ceil(conv.tm * conv.tn * 25 "
      "/ 1024)}\n"
      "objectives: [lut]\n");
  CHECK(space.overrides({1, 0, 1}) == Texts{"clock_mhz=200", "conv.tm=128", "conv.tn=24", "weights.level1=bram",
                                            "conv.dsp_channels=99", "weights.kib=75"});
  CHECK(space.text({0, 0, 0}) == "conv.tm=64 conv.tn=24 weights.level1=lut");
}

TEST_CASE("constraints see metrics and parameters and derived keys while 'fits' is every resource within the device") {
  const Space space = test::space_of(
      "parameters: {a: [2, 3]}\nderived: {b: a * 2}\nobjectives: [lut]\n"
      "constraints: [fits, b + a <= 6, fmax_mhz >= clock_mhz]\n");
  Metrics metrics{};
  const auto holds = [&](std::size_t i, const Point& point) {
    return space.constraints[i].expression.value(space.slots(point, metrics)) != 0;
  };
  CHECK(holds(0, {0}));
  of(metrics, Metric::bram36_percent) = 100.1;
  CHECK_FALSE(holds(0, {0}));
  CHECK(holds(1, {0}));
  CHECK_FALSE(holds(1, {1}));
  of(metrics, Metric::clock_mhz) = 1;
  CHECK_FALSE(holds(2, {0}));
}

TEST_CASE("an empty space and malformed values are refused with their place") {
  CHECK(refused("parameters: {}\nobjectives: [lut]\n") == "4:13: parameters: the space is empty");
  CHECK(refused_parameter("[]") == "4:17: a: no value is left");
  CHECK(refused_parameter("5") == "4:17: a: expected a list of values or a map, found number 5");
  CHECK(refused_parameter("{range: [5, 4]}") == "4:17: a: no value is left");
  CHECK(refused_parameter("{range: [5]}") == "4:25: a: range: expected [FIRST, LAST] or [FIRST, LAST, STEP]");
  CHECK(refused_parameter("{range: [1, 5, 0]}") == "4:25: a: range: step 0 must be 1 or more");
  CHECK(refused_parameter("{range: [1, x]}").find("a: range: expected an integer") != std::string::npos);
  CHECK(refused_parameter("{divisors: 0}").find("a: divisors 0 is out of range") != std::string::npos);
  CHECK(refused_parameter("{rnage: [1, 5]}").find("a: expected a list of values or one of range") != std::string::npos);
  CHECK(refused_parameter("{range: [1, 5], divisors: 8}").find("found 2 of them") != std::string::npos);
  CHECK(refused_parameter("{range: [1, 5], least_wast_of: [8]}").find("did you mean 'least_waste_of'?") !=
        std::string::npos);
  CHECK(refused_parameter("[1, 2, 1.0]") == "4:17: a: value 1.0 twice");
  CHECK(refused_parameter("[lut, lut]") == "4:17: a: value lut twice");
  CHECK(refused_parameter("[1, lut]") == "4:21: a: 'lut': numbers and words in one list");
  CHECK(refused_parameter("[[1]]") == "4:18: a: expected a value, found a list");
}

TEST_CASE("unknown metrics and keys and words of a space are refused with the nearest known one") {
  const std::string parameters = "parameters: {a: [1, 2]}\n";
  CHECK(refused(parameters + "objectives: [latency_m]\n") ==
        "5:14: objective 'latency_m' is no metric; did you mean 'latency_ms'?");
  CHECK(refused(parameters + "objectives: [speed]\n")
            .find("5:14: objective 'speed' is no metric; known: latency_ms, "
                  "cycles, frames_per_s") == 0);
  CHECK(refused(parameters + "objectives: [lut, lut]\n") == "5:19: objective 'lut' twice");
  CHECK(refused(parameters + "objectives: []\n").find("objectives: expected a list of metrics") != std::string::npos);
  CHECK(refused(parameters).find("key 'objectives' is missing") != std::string::npos);
  CHECK(refused(parameters + "objectives: [lut]\nconstraints: [dps < 5]\n") ==
        "6:15: constraint 'dps < 5': 'dps' is not known; did you mean 'dsp'? at character 1");
  CHECK(refused(parameters + "objectives: [lut]\nconstraints: dsp < 5\n").find("constraints: expected a list") !=
        std::string::npos);
  CHECK(refused(parameters + "objectives: [lut]\nderived: {b: c + 1}\n").find("'c' is not known") != std::string::npos);
  CHECK(refused(parameters + "objectives: [lut]\nset: {a: 1}\n") == "6:7: a: is a parameter too");
  CHECK(refused(parameters + "objectives: [lut]\nderived: {a: 1}\n") == "6:11: a: is a parameter too");
  CHECK(refused(parameters + "objectives: [lut]\nobjectivs: [lut]\n").find("did you mean 'objectives'?") !=
        std::string::npos);
  CHECK(refused(parameters + "objectives: [lut]\nsearch: {method: nsga3}\n").find("did you mean 'nsga2'?") !=
        std::string::npos);
  CHECK(refused(parameters + "objectives: [lut]\nsearch: {population: 5}\n").find("population 5 must be even") !=
        std::string::npos);
  CHECK(refused("parameters: {a: [lut, bram]}\nobjectives: [lut]\nconstraints: [a == 1]\n").find("'a' is not known") !=
        std::string::npos);
}

}  // namespace fansim::space_test
