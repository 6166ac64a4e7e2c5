// SPDX-License-Identifier: Apache-2.0
// These tests search spaces over any keys, including values that the machine refuses, and compare each method with
// trying all points.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "accelerators/vision/bounds/vision_model.h"
#include "explore/search.h"
#include "subject.h"

namespace fansim::random_space_test {

using explore::Method;

namespace {

// Draws a key with two or three values, one of which is the configuration's own. It may draw any field, and any number
// in the field's range.
template <class Config>
explore::Parameter random_parameter(Config config, base::Random& random) {
  std::vector<std::pair<std::string, base::FieldRow>> fields;
  config.visit_blocks([&](const char* block, auto& of_block) {
    for (const base::FieldRow& row : base::field_rows(of_block)) fields.emplace_back(block, row);
  });
  const auto& [block, row] = fields[static_cast<std::size_t>(random.uniform(0, static_cast<int>(fields.size()) - 1))];
  explore::Parameter parameter;
  parameter.path = block + "." + row.name;
  std::vector<std::string> values{row.fallback};
  for (const std::string& other : test::other_values(row)) values.push_back(other);
  if (row.type == "int" || row.type == "cost") {
    const std::size_t dots = row.allowed.find(".."), bar = row.allowed.rfind(' ');
    values.push_back(std::to_string(std::stoi(row.fallback) + 7));
    values.push_back(std::to_string(std::stoi(row.allowed)));
    values.push_back(row.allowed.substr(dots == std::string::npos ? bar + 1 : dots + 2));
  }
  if (row.type == "cost") values.insert(values.end(), {"90 ns", "1 us - 3 cycles", "40 cycles of 1600/3 MHz"});
  for (std::size_t i = values.size() - 1; i > 1; --i)
    std::swap(values[i], values[static_cast<std::size_t>(random.uniform(1, static_cast<int>(i)))]);
  for (const std::string& value : values) {
    Config tried = config;
    const bool twice = std::any_of(parameter.values.begin(), parameter.values.end(),
                                   [&](const explore::Value& known) { return known.text == value; });
    if (twice || parameter.size() == 3 || !contract::set_field(tried, parameter.path, value).empty()) continue;
    parameter.values.push_back(explore::value_of(value));
  }
  if (parameter.numeric())
    std::sort(parameter.values.begin(), parameter.values.end(),
              [](const explore::Value& a, const explore::Value& b) { return a.number < b.number; });
  parameter.raw_count = parameter.size();
  return parameter;
}

// Costs follow the clock, so a search must count them anew at every clock.
explore::Parameter random_clock(base::Random& random) {
  explore::Parameter parameter;
  parameter.path = "clock_mhz";
  for (const char* value : {"50", "100", "400/3"})
    if (random.chance(80)) parameter.values.push_back(explore::value_of(value));
  parameter.raw_count = parameter.size();
  return parameter;
}

template <class Config>
explore::Space random_space(const std::string& shipped, base::Random& random) {
  explore::Space space = test::space_named(shipped);
  const Config base = Config::read(space.config, space.set);
  space.parameters.clear();
  space.derived.clear();
  while (space.parameters.size() < 4) {
    explore::Parameter one = random.chance(15) ? random_clock(random) : random_parameter(base, random);
    const bool known = std::any_of(space.parameters.begin(), space.parameters.end(),
                                   [&](const explore::Parameter& p) { return p.path == one.path; });
    if (!known && one.size() > 1) space.parameters.push_back(std::move(one));
  }
  space.search.population = 16;
  space.search.generations = 4;
  space.search.chains = 2;
  space.search.steps = 30;
  return space;
}

std::vector<explore::Scored> front_of(const explore::Space& space, const explore::Model& model) {
  const explore::SearchResult result = explore::search(space, model, {});
  const Method method = space.search.method;
  CHECK(result.proven == (method == Method::branch_and_bound || method == Method::exhaustive || !result.unmet.empty()));
  return result.front;
}

bool as_good(const explore::Scored& a, const explore::Scored& b) {
  return std::equal(a.goals.begin(), a.goals.end(), b.goals.begin(), [](double x, double y) { return x <= y; });
}

template <class Model, class Config>
void check_space(const std::string& shipped, const std::string& network, std::uint64_t seed) {
  base::Random random(seed);
  explore::Space space = random_space<Config>(shipped, random);
  std::string text;
  for (const explore::Parameter& parameter : space.parameters) {
    text += parameter.path + ": [";
    for (const explore::Value& value : parameter.values) text += value.text + " ";
    text += "] ";
  }
  CAPTURE(shipped, seed, text);
  const Model model(space, Config::read(space.config, space.set), test::model(network));
  space.search.method = Method::exhaustive;
  const std::vector<explore::Scored> expected = front_of(space, test::Unbounded(model));
  for (const Method method : {Method::exhaustive, Method::branch_and_bound}) {
    CAPTURE(name(method));
    space.search.method = method;
    const std::vector<explore::Scored> front = front_of(space, model);
    REQUIRE(front.size() == expected.size());
    for (std::size_t i = 0; i < front.size(); ++i) {
      CHECK(front[i].point == expected[i].point);
      CHECK(front[i].outcome.metrics == expected[i].outcome.metrics);
    }
  }
  for (const Method method : {Method::nsga2, Method::annealing}) {
    CAPTURE(name(method));
    space.search.method = method;
    for (const explore::Scored& found : front_of(space, model)) {
      CAPTURE(space.text(found.point));
      CHECK(std::any_of(expected.begin(), expected.end(),
                        [&](const explore::Scored& best) { return as_good(best, found); }));
    }
  }
}

void check_spaces(std::uint64_t first, int count) {
  std::printf("random spaces %llu to %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first) + static_cast<unsigned long long>(count) - 1);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    check_space<stream::StreamModel, stream::Config>("tiny_stream", "tiny_conv", seed);
    check_space<tiled::TiledModel, tiled::Config>("tiny_tiled", "tiny_conv", seed);
    check_space<vision::VisionModel, vision::Config>("tiny_vision", "pipelines/edge", seed);
  }
}

}  // namespace

TEST_CASE("every method finds of a space over any keys what trying all points finds") { check_spaces(1, 15); }

// Tries as many spaces as FANSIM_FUZZ="FIRST_SEED SPACES" says.
TEST_CASE("as many random spaces as asked for", "[.spaces]") {
  const char* text = std::getenv("FANSIM_FUZZ");
  unsigned long long first = 0;
  int count = 0;
  REQUIRE((text && std::sscanf(text, "%llu %d", &first, &count) == 2));
  check_spaces(first, count);
}

// The machine's rules refuse the last value of a parameter but not the others.
TEST_CASE("a refused value rules out no other value of its parameter") {
  for (const auto& [path, values] :
       {std::pair<std::string, std::vector<std::string>>{"dma.mode", {"direct", "scatter_gather"}},
        {"ddr.refresh_cycles", {"26", "780"}},
        {"ddr.fidelity", {"fixed", "banked"}},
        {"quantiser.accumulator_bits", {"32", "40"}}}) {
    CAPTURE(path);
    explore::Space space = test::space_named("tiny_stream");
    explore::Parameter parameter;
    parameter.path = path;
    for (const std::string& value : values) parameter.values.push_back(explore::value_of(value));
    parameter.raw_count = parameter.size();
    space.parameters.resize(2);
    space.parameters.insert(space.parameters.begin(), parameter);
    const stream::Config base = stream::Config::read(space.config, space.set);
    const stream::StreamModel model(space, base, test::model("tiny_conv"));
    const std::vector<explore::Scored> front = front_of(space, model);
    CHECK_FALSE(front.empty());
    const std::vector<accelerators::RefusedValue> refused =
        accelerators::refused_values(space, base, &stream::Config::read);
    REQUIRE(refused.size() >= 1);
    CHECK(refused[0].parameter == path);
    CHECK(refused[0].value == values[1]);
  }
}

TEST_CASE("a value that no configuration takes is the space file's error") {
  explore::Space space = test::space_named("tiny_stream");
  explore::Parameter parameter;
  parameter.path = "dma.mode";
  parameter.values = {explore::value_of("direct"), explore::value_of("scatter_gatherr")};
  parameter.values[1].where = base::Location{"space.yaml", 7, 3};
  space.parameters.push_back(parameter);
  const stream::Config base = stream::Config::read(space.config, space.set);
  CHECK_THROWS_WITH(accelerators::refused_values(space, base, &stream::Config::read),
                    Catch::Contains("space.yaml:7:3") && Catch::Contains("'scatter_gatherr'") &&
                        Catch::Contains("did you mean 'scatter_gather'"));
}

}  // namespace fansim::random_space_test
