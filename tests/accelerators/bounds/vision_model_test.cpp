// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/bounds/vision_model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <optional>
#include <string>

#include "accelerators/vision/bounds/least_cycles.h"
#include "accelerators/vision/compile/compile.h"
#include "accelerators/vision/timing/vision_timing.h"
#include "base/error.h"
#include "explore/search.h"
#include "random/random_case.h"
#include "subject.h"

namespace fansim::vision_model_test {

namespace {

using Subject = test::Subject<vision::VisionModel, vision::Config>;

base::Cycles simulated(const vision::Config& config, const contract::Program& program) {
  base::Cycles cycles = 0;
  contract::LayerSteps layer;
  for (std::size_t at = 0; contract::next_layer(program, at, layer);)
    cycles += vision::run_layer(config, program, layer, {}).cycles;
  return cycles;
}

// Returns nothing if its settings contradict each other.
std::optional<vision::Config> config_of(const test::Case& c) {
  try {
    return vision::Config::read(std::string(FANSIM_SOURCE_DIR) + "/" + c.base, c.settings);
  } catch (const base::UserError&) {
    return std::nullopt;
  }
}

// Returns nothing if it is no pipeline or the machine cannot run it.
std::optional<contract::Program> program_of(const vision::Config& config, const std::string& pipeline) {
  compile::Options options;
  options.values = options.memory = false;
  try {
    auto compiled =
        vision::compile_network(network::load_network(pipeline, accelerators::timing_only()), config, options);
    if (auto* program = std::get_if<contract::Program>(&compiled)) return std::move(*program);
  } catch (const base::UserError&) {
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("no random pipeline on a random vision machine takes less than its bound and few take much more") {
  const std::string file = fmt::format("/tmp/fansim_bounds.{}.yaml", getpid());
  int programs = 0, close = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const test::Case c = test::random_vision_case(seed);
    std::ofstream(file) << c.network();
    const std::optional<vision::Config> machine = config_of(c);
    if (!machine) continue;
    const vision::Config& config = *machine;
    const std::optional<contract::Program> program = program_of(config, file);
    if (!program) continue;
    CAPTURE(seed, c.replay(file));
    const base::Cycles cycles = simulated(config, *program), bound = least_cycles(*program, config, true);
    CHECK(bound <= cycles);
    CHECK(least_cycles(*program, config, false) <= bound);
    if (config.ddr.shared()) continue;  // bounds know how long others have the memory, not when
    ++programs;
    close += bound * 10 >= cycles * 9;
  }
  CHECK(programs >= 60);
  CHECK(close * 4 >= programs * 3);
  unlink(file.c_str());
}

// The cycles are counted by hand in docs/vision.md.
TEST_CASE("a quiet job's bound is its cycles but for the beats of its last burst") {
  const std::string file = fmt::format("/tmp/fansim_bounds.{}.yaml", getpid());
  std::ofstream(file) << "version: 1\nname: p\ninput: {width: 16, height: 3, channels: 1}\n"
                         "stages:\n  - {name: n, function: bitwise_not}\n";
  const vision::Config config = vision::Config::read(test::config("vision_zcu102"), {});
  const std::optional<contract::Program> program = program_of(config, file);
  REQUIRE(program);
  CHECK(simulated(config, *program) == 5312);
  CHECK(least_cycles(*program, config, true) == 5312 - 2);
  unlink(file.c_str());
}

TEST_CASE("bounds of a vision accelerator contain every point of their box") {
  for (const char* pipeline : {"pipelines/edge", "pipelines/gradient"}) {
    CAPTURE(pipeline);
    Subject subject("tiny_vision", test::model(pipeline));
    test::check_bounds(subject.space, subject.model, 60, 1);
  }
}

TEST_CASE("bounds spare a search of vision machines most of its points and change nothing of its front") {
  Subject subject("tiny_vision", test::model("pipelines/edge"));
  const explore::SearchResult all = explore::search(subject.space, test::Unbounded(subject.model), {});
  const explore::SearchResult few = explore::search(subject.space, subject.model, {});
  CHECK(few.proven);
  REQUIRE(few.front.size() == all.front.size());
  for (std::size_t i = 0; i < few.front.size(); ++i) {
    CHECK(few.front[i].point == all.front[i].point);
    CHECK(few.front[i].outcome.metrics == all.front[i].outcome.metrics);
  }
  CHECK(few.counts.evaluated * 4 < all.counts.evaluated);
}

}  // namespace fansim::vision_model_test
