// SPDX-License-Identifier: Apache-2.0
#include "base/cost.h"

#include <catch2/catch.hpp>
#include <climits>
#include <cmath>
#include <cstdio>

#include "base/fields.h"
#include "base/random.h"
#include "base/set_field.h"
#include "support/user_error.h"

namespace fansim::cost_test {

using base::Bandwidth;
using base::Cost;
using base::Rational;

namespace {

Cost cost_of(const std::string& text) {
  Cost cost;
  REQUIRE(base::read_cost(text, cost) == "");
  return cost;
}

int cycles(const std::string& text, const Rational& mhz, int lo = 0, int hi = INT_MAX) {
  Cost cost = cost_of(text);
  CHECK(cost.follow(mhz, lo, hi) == "");
  return cost;
}

std::string wrong(const std::string& text) {
  Cost cost;
  return base::read_cost(text, cost);
}

struct Costly {
  Cost call = Cost::nanoseconds(100);
  Bandwidth path = 0;

  template <class V>
  void visit(V&& v) {
    v.field("call", call, 0, 1000, "a call");
    v.field("path", path, 0, 1024, "a path");
  }
};

Costly read(const std::string& text, const Rational& mhz = {250, 1}) {
  base::YamlMap map(base::parse_yaml(text, "f.yaml"), "host");
  Costly costly;
  base::read_fields(map, costly);
  for (const auto& problem : base::follow_clock(costly, mhz)) map.fail(problem.field, problem.text);
  return costly;
}

}  // namespace

TEST_CASE("a time becomes whole edges of a clock and is rounded up") {
  CHECK(cycles("100 ns", {250, 1}) == 25);
  CHECK(cycles("101 ns", {250, 1}) == 26);
  CHECK(cycles("104 ns", {250, 1}) == 26);
  CHECK(cycles("4us", {100, 1}) == 400);
  CHECK(cycles("159 ns", {1000, 3}) == 53);
  CHECK(cycles("160 ns", {1000, 3}) == 54);
  CHECK(cycles("7.8 us", {1000, 3}) == 2600);
  CHECK(cycles("1 ps", {1, 1}) == 1);
  CHECK(cycles("0.5 ms", {200, 1}) == 100000);
  CHECK(cycles("2 s", {1, 1}) == 2000000);
}

TEST_CASE("a cost may be edges of its own clock or of another and a sum") {
  CHECK(cycles("38", {99, 1}) == 38);
  CHECK(cycles("38 cycles", {99, 1}) == 38);
  CHECK(cycles("1 cycle", {99, 1}) == 1);
  CHECK(cycles("24 cycles of 1600/3 MHz", {1000, 3}) == 15);
  CHECK(cycles("24 cycles of 1.2 GHz", {250, 1}) == 5);
  CHECK(cycles("5 cycles of 1200 MHz", {240, 1}) == 1);
  CHECK(cycles("110 ns - 2 cycles", {250, 1}) == 26);
  CHECK(cycles("110 ns - 2 cycles", {1000, 3}) == 35);
  CHECK(cycles("110 ns - 2 cycles", {100, 1}) == 9);
  CHECK(cycles("115 ns + 15 cycles", {190, 1}) == 37);
  CHECK(cycles("15 + 115 ns", {190, 1}) == 37);
}

TEST_CASE("a difference hides no more than there is") {
  CHECK(cycles("472 ns - 48 cycles", {100, 1}) == 0);
  CHECK(cycles("472 ns - 48 cycles", {250, 1}) == 70);
  CHECK(cycles("110 ns - 2 cycles", {10, 1}, 1) == 1);
}

TEST_CASE("a cost beyond its limits says at which clock") {
  Cost cost = cost_of("3 us");
  CHECK(cost.follow({100, 1}, 0, 300) == "");
  CHECK(cost.follow({250, 1}, 0, 300) == "3 us is 750 cycles at 250 MHz; allowed: 0..300");
  CHECK(cost == 300);
  CHECK(cost.follow({100, 1}, 0, 300) == "");
  CHECK(cost == 300);
  CHECK(cost_of("1000 s").follow({891, 1}, 0, INT_MAX) != "");
}

TEST_CASE("a cost is written as it can be read again") {
  for (const char* text :
       {"38", "100 ns", "7.8 us", "1.23 us", "833 ps", "2 s", "110 ns - 2 cycles", "9 us + 768 cycles"})
    CHECK(cost_of(text).text() == text);
  CHECK(cost_of("0.1 us").text() == "100 ns");
  CHECK(cost_of("7800 ns").text() == "7.8 us");
  CHECK(cost_of("24 cycles of 1600/3 MHz").text() == "45 ns");
  CHECK(cost_of("0 ns").text() == "0");
  CHECK(cost_of("5 cycles - 2 + 1").text() == "4");
}

TEST_CASE("what is no cost is refused with the nearest unit") {
  CHECK_THAT(wrong("152 nss"), Catch::Contains("unit 'nss' unknown; did you mean 'ns'?"));
  CHECK_THAT(wrong("152 NS"), Catch::Contains("did you mean 'ns'?"));
  CHECK_THAT(wrong("4 cycels"), Catch::Contains("did you mean 'cycles'?"));
  CHECK_THAT(wrong("4 parsecs"), Catch::Contains("one of ps, ns, us, ms, s, cycles"));
  CHECK_THAT(wrong("fast"), Catch::Contains("expected cycles or a time, such as 38, 152 ns or 4 us, found 'fast'"));
  CHECK_THAT(wrong(""), Catch::Contains("expected cycles or a time"));
  CHECK_THAT(wrong("1.5 cycles"), Catch::Contains("a number of cycles is whole"));
  CHECK_THAT(wrong("1.5"), Catch::Contains("a number of cycles is whole"));
  CHECK_THAT(wrong("0.0001 ns"), Catch::Contains("no whole number of picoseconds"));
  CHECK_THAT(wrong("1/3 ns"), Catch::Contains("no whole number of picoseconds"));
  CHECK_THAT(wrong("1001 s"), Catch::Contains("beyond 1000 s"));
  CHECK_THAT(wrong("999 s + 999 s"), Catch::Contains("beyond 1000 s"));
  CHECK_THAT(wrong("99999999999999999999 ns"), Catch::Contains("expected cycles or a time"));
  CHECK_THAT(wrong("3000000000 cycles"), Catch::Contains("more than 2000000000"));
  CHECK_THAT(wrong("-5 ns"), Catch::Contains("is negative"));
  CHECK_THAT(wrong("5 ns - 6 ns"), Catch::Contains("is negative"));
  CHECK_THAT(wrong("5 ns 6"), Catch::Contains("expected + or -, found '6'"));
  CHECK_THAT(wrong("5 ns -"), Catch::Contains("expected cycles or a time"));
  CHECK_THAT(wrong("24 cycles of"), Catch::Contains("expected a clock such as 1200 MHz"));
  CHECK_THAT(wrong("24 cycles of 1200 MHZ"), Catch::Contains("did you mean 'MHz'?"));
  CHECK_THAT(wrong("24 cycles of 0 MHz"), Catch::Contains("expected a clock such as 1200 MHz"));
}

TEST_CASE("a bandwidth becomes whole bits a cycle and is rounded down") {
  Bandwidth path;
  REQUIRE(base::read_bandwidth("17066 MB/s", path) == "");
  for (const auto& [mhz, bits] :
       {std::pair{Rational{250, 1}, 546}, {Rational{1000, 3}, 409}, {Rational{100, 1}, 1365}}) {
    CHECK(path.follow(mhz, 0, 1 << 20) == "");
    CHECK(path == bits);
  }
  CHECK(path.text() == "17066 MB/s");
  CHECK_THAT(path.follow({100, 1}, 0, 1024), Catch::Contains("1365 bits a cycle of 100 MHz; allowed: 1..1024"));
  REQUIRE(base::read_bandwidth("4.266 GB/s", path) == "");
  CHECK(path.text() == "4266 MB/s");
  REQUIRE(base::read_bandwidth("128", path) == "");
  CHECK(path.follow({1, 1}, 0, 1024) == "");
  CHECK(path == 128);
  CHECK_THAT(base::read_bandwidth("17 GBs", path), Catch::Contains("did you mean 'GB/s'?"));
  CHECK_THAT(base::read_bandwidth("0 MB/s", path), Catch::Contains("nothing moves"));
  CHECK_THAT(base::read_bandwidth("-1 MB/s", path), Catch::Contains("expected bits a cycle or a rate"));
}

TEST_CASE("a file's costs have its place and an integer's messages where they are integers") {
  CHECK(read("call: 1 us\n").call == 250);
  CHECK(read("call: '1 us'\n").call == 250);
  CHECK(read("call: 0x10\n").call == 16);
  CHECK(read("path: 4 GB/s\n").path == 128);
  CHECK(read("{}\n", {100, 1}).call == 10);
  const auto refused = [](const std::string& text) { return test::message_of([&] { read(text); }); };
  CHECK(refused("call: -5\n") == "f.yaml:1:7: host: call -5 is out of range; allowed: an integer 0..1000");
  CHECK(refused("call: 1001\n") == "f.yaml:1:7: host: call 1001 is out of range; allowed: an integer 0..1000");
  CHECK(refused("call: 1001 cycles\n") ==
        "f.yaml:1:7: host: call 1001 cycles is out of range; allowed: 0..1000 cycles");
  CHECK(refused("\ncall: 5 us\n") == "f.yaml:2:7: host: call: 5 us is 1250 cycles at 250 MHz; allowed: 0..1000");
  CHECK(refused("call: 5 uss\n") == "f.yaml:1:7: host: call '5 uss': unit 'uss' unknown; did you mean 'us'?");
  CHECK_THAT(refused("call: [1]\n"), Catch::Contains("f.yaml:1:7: host: call: expected an integer 0..1000"));
  CHECK_THAT(refused("path: 9 GB\n"), Catch::Contains("f.yaml:1:7: host: path '9 GB': unit 'GB' unknown"));
}

TEST_CASE("a field that is set takes the same texts as a file") {
  const auto problem = [](const std::string& text) {
    Costly costly;
    base::SetField set("call", text);
    costly.visit(set);
    base::follow_clock(costly, {250, 1});
    return set.problem().empty() ? std::to_string(int{costly.call}) : set.problem();
  };
  CHECK(problem("1 us") == "250");
  CHECK(problem("12") == "12");
  CHECK_THAT(problem("-1"), Catch::Contains("out of range"));
  CHECK_THAT(problem("1001 cycles"), Catch::Contains("out of range"));
  CHECK_THAT(problem("1 uss"), Catch::Contains("did you mean 'us'?"));
}

TEST_CASE("drawn costs are rounded up once however often they are paid") {
  const std::uint64_t seed = 52;
  std::printf("drawn costs, seed %llu\n", static_cast<unsigned long long>(seed));
  base::Random random(seed);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t time = random.uniform(1, 2'000'000'000);
    const int edges = random.uniform(0, 30);
    const Rational mhz{random.uniform(1, 891), random.chance(50) ? 1 : 7};
    const std::int64_t count = random.uniform(1, 1 << 20);
    CAPTURE(time, edges, mhz.text(), count);
    Cost cost = cost_of(std::to_string(time) + " ps + " + std::to_string(edges) + " cycles");
    REQUIRE(cost.follow(mhz, 0, INT_MAX) == "");
    // The exact number of edges is time * mhz / 10^6: counted with whole numbers that 128 bits hold.
    __extension__ using Wide = __int128;
    const auto exact = [&](std::int64_t times) {
      const Wide numerator = static_cast<Wide>(times) * time * mhz.numerator, below = Wide{1'000'000} * mhz.denominator;
      const Wide whole = numerator / below;
      return static_cast<std::int64_t>(whole + (whole * below < numerator ? 1 : 0)) + times * edges;
    };
    CHECK(int{cost} == exact(1));
    CHECK(cost.times(count) == exact(count));
    CHECK(cost_of(cost.text()).picoseconds() == time);
    CHECK(cost.times(0) == 0);
  }
}

TEST_CASE("costs of different units are summed before they are divided") {
  Cost flush = cost_of("1.23 us"), clear = cost_of("246");
  REQUIRE(flush.follow({100, 1}, 0, INT_MAX) == "");
  CHECK(Cost::sum({{1500, flush}, {700, clear}}, 1024) == (1500 * 123 + 700 * 246 + 1023) / 1024);
  CHECK(Cost::sum({{std::int64_t{1} << 40, cost_of("1000 s")}}) == std::numeric_limits<base::Cycles>::max());
}

}  // namespace fansim::cost_test
