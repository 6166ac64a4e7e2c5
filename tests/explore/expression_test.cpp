// SPDX-License-Identifier: Apache-2.0
#include "explore/expression.h"

#include <catch2/catch.hpp>

#include "base/random.h"
#include "support/user_error.h"

namespace fansim::expression_test {

using namespace explore;

namespace {

const Names kNames{"lut", "dsp", "conv.tm"};

Expression parse(const std::string& text) { return parse_expression(text, kNames, {"s.yaml", 3, 7}, "constraint"); }
double value(const std::string& text) { return parse(text).value({10, 4, 128}); }
std::string refused(const std::string& text) {
  return test::message_of([&] { parse(text); });
}

}  // namespace

TEST_CASE("expressions have the precedence of arithmetic with comparisons below it and then 'and' and 'or'") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("8 / 4 / 2") == 1);
  CHECK(value("8 - 4 - 2") == 2);
  CHECK(value("-dsp * -2") == 8);
  CHECK(value("1.5e1 + .5") == 15.5);
  CHECK(value("lut + dsp*2 <= 18") == 1);
  CHECK(value("lut+dsp*2<18") == 0);
  CHECK(value("lut == 10 and dsp != 4 or conv.tm >= 128") == 1);
  CHECK(value("lut == 10 and (dsp != 4 or conv.tm > 128)") == 0);
  CHECK(value("not lut > 10 and not (dsp == 3)") == 1);
  CHECK(value("min(lut, dsp) + max(1, 2) + floor(2.7) + ceil(conv.tm / 100)") == 10);
}

TEST_CASE("what an expression gets wrong is told with its place and the nearest name") {
  CHECK(refused("lutt < 5") ==
        "s.yaml:3:7: constraint 'lutt < 5': 'lutt' is not known; did you mean 'lut'? at "
        "character 1");
  CHECK(refused("lut <") == "s.yaml:3:7: constraint 'lut <': expected a number or a name at character 6");
  CHECK(refused("lut < 5 dsp") == "s.yaml:3:7: constraint 'lut < 5 dsp': 'dsp' is left over at character 9");
  CHECK(refused("(lut") == "s.yaml:3:7: constraint '(lut': expected ')' at character 5");
  CHECK(refused("lut < $") ==
        "s.yaml:3:7: constraint 'lut < $': expected a number or a name, found '$' at character 7");
  CHECK(refused("min(lut)") == "s.yaml:3:7: constraint 'min(lut)': min takes 2 values, found 1 at character 9");
  CHECK(refused("ceil lut") == "s.yaml:3:7: constraint 'ceil lut': expected '(' after ceil at character 6");
  CHECK(refused("").find("expected a number or a name at character 1") != std::string::npos);
  CHECK(refused(std::string(200, '(')).find("nested too deeply") != std::string::npos);
  CHECK(refused(std::string(200, '-') + "1").find("nested too deeply") != std::string::npos);
  CHECK(refused("order < 1").find("'order' is not known") != std::string::npos);
}

TEST_CASE("an expression's range contains its value wherever its names are") {
  const std::vector<std::string> texts{"lut + dsp * conv.tm",
                                       "lut - dsp / conv.tm",
                                       "lut * dsp - conv.tm",
                                       "lut < dsp",
                                       "lut <= dsp or dsp == 3",
                                       "not (lut == dsp) and conv.tm > 2",
                                       "min(lut, dsp * -2)",
                                       "max(-lut, conv.tm) / 3",
                                       "floor(lut / 3) * ceil(dsp / 2)",
                                       "lut / (dsp - conv.tm)"};
  base::Random random(5);
  for (const std::string& text : texts) {
    const Expression expression = parse(text);
    for (int trial = 0; trial < 2000; ++trial) {
      std::vector<Interval> ranges;
      std::vector<double> slots;
      for (int i = 0; i < 3; ++i) {
        const int low = random.uniform(-6, 6), high = low + random.uniform(0, 6);
        ranges.push_back({static_cast<double>(low), static_cast<double>(high)});
        slots.push_back(random.uniform(low, high));
      }
      const double value = expression.value(slots);
      if (!std::isfinite(value)) continue;
      CAPTURE(text, trial, slots, value);
      REQUIRE(expression.range(ranges).contains(value));
    }
  }
}

TEST_CASE("a range that leaves no doubt is a single truth") {
  const std::vector<Interval> slots{{5, 9}, {1, 4}, {0, Interval::kInfinity}};
  CHECK(parse("lut > dsp").range(slots) == Interval::of(1));
  CHECK(parse("lut <= dsp").range(slots) == Interval::of(0));
  CHECK(parse("lut > dsp and conv.tm >= 0").range(slots) == Interval::of(1));
  CHECK(parse("lut + conv.tm < 5").range(slots) == Interval::of(0));
  CHECK(parse("conv.tm < 5").range(slots) == Interval{0, 1});
}

TEST_CASE("a violation is zero where the expression is true and grows with the distance where not") {
  const auto violation = [](const std::string& text, double lut) { return parse(text).violation({lut, 4, 128}); };
  CHECK(violation("lut <= 10", 10) == 0);
  CHECK(violation("lut <= 10", 11) > 0);
  CHECK(violation("lut <= 10", 20) > violation("lut <= 10", 11));
  CHECK(violation("lut < 10", 10) > 0);
  CHECK(violation("lut <= 10 and dsp < 2", 20) > violation("lut <= 10", 20));
  CHECK(violation("lut <= 10 or dsp < 5", 20) == 0);
  CHECK(violation("lut == 10", 11) == 1);
}

}  // namespace fansim::expression_test
