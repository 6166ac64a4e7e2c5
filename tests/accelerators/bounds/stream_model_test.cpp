// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/stream_model.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/stream/bounds/roofline.h"
#include "explore/search.h"
#include "subject.h"

namespace fansim::stream_model_test {

using accelerators::program_of;

namespace {

using Subject = test::Subject<stream::StreamModel, stream::Config>;

// Returns whether no layer's time depends on a key.
bool irrelevant(const std::string& path) {
  return path.rfind("quantiser.", 0) == 0 || path == "axi.pins" || path == "array.shadow_luts";
}

// Times layers by programs, of which a limited number of bytes is kept, as StreamModel does.
struct Kept {
  explicit Kept(std::size_t most_bytes) : programs(most_bytes) {}

  accelerators::LayerTime time(const stream::Config& config, const network::Network& network, int layer) {
    const auto known = programs.of(config, program_key(config), network, layer);
    const std::string key = stream::timing_key(stream::machine_key(config), config.axi.outstanding, known->steps, {});
    if (const auto time = times.find(key)) return *time;
    const auto simulate = [&](const stream::TimedProgram& program) {
      return times.simulate(config, program, {}, key, seen, stream::SharedTables::Keys(config));
    };
    if (known->program) return simulate(*known->program);
    ++recompiled;
    return simulate(std::get<stream::TimedProgram>(stream::timed_program(network, layer, config)));
  }

  stream::ProgramCache programs;
  accelerators::LayerTimes times;
  stream::SharedTables seen;
  int recompiled = 0;
};

}  // namespace

TEST_CASE("bounds of a streaming accelerator contain every point of their box") {
  for (const char* network : {"lenet5", "tiny_lstm"}) {
    CAPTURE(network);
    Subject subject("tiny_stream", test::model(network));
    test::check_bounds(subject.space, subject.model, 120, 1);
  }
  Subject thesis("uestc_stream", test::model("lenet5"));
  test::check_bounds(thesis.space, thesis.model, 40, 2);
}

TEST_CASE("a search on DSP slices that hold no packed pair takes no point with one and takes the others") {
  explore::Space space = test::space_named("tiny_stream");
  space.set.push_back("device=xc7z045");
  const stream::Config base = stream::Config::read(space.config, space.set);
  const stream::StreamModel model(space, base, test::model("lenet5"));
  explore::Point point = space.whole().first();
  REQUIRE(space.parameters[0].values[0].text == "dsp48e2_dual_int8");
  const explore::Outcome packed = model.evaluate(point);
  CHECK(packed.kind == explore::Outcome::Kind::misfit);
  CHECK_THAT(packed.reason, Catch::Contains("the DSP48E1 has 25"));
  point[0] = 1;
  CHECK(model.evaluate(point).kind == explore::Outcome::Kind::scored);
}

TEST_CASE("a streaming design that misses its clock is told so by the space's own constraint while others are taken") {
  const explore::Space space = test::space_named("uestc_stream");
  const stream::Config base = stream::Config::read(space.config, space.set);
  int met = 0, missed = 0;
  base::Random random(7);
  for (int trial = 0; trial < 60; ++trial) {
    const auto loaded = test::configured(space, base, space.overrides(test::random_point(space, random)));
    if (std::holds_alternative<std::string>(loaded)) continue;
    const stream::Config& config = std::get<stream::Config>(loaded);
    const estimate::Estimate cost = cost_of(config);
    if (cost.fit.fits) ++(cost.fmax.hz >= config.clock_hz() ? met : missed);
  }
  CHECK(met > 0);
  CHECK(missed > 0);
}

TEST_CASE("a point's cycles are those of its layers on one streaming machine whatever was simulated before") {
  for (const char* network : {"lenet5", "tiny_lstm"}) {
    CAPTURE(network);
    Subject subject("tiny_stream", test::model(network));
    test::check_points(subject, test::model(network), 40, 3);
  }
}

// 12 channels fill what 4 output channels write, and not what 8 do.
TEST_CASE("a concatenation that some points place and others leave to the host is counted as each has it") {
  const test::Joined network;
  Subject subject("tiny_stream", network.file);
  test::check_points(subject, network.file, 60, 5);
  test::check_bounds(subject.space, subject.model, 60, 6);
}

TEST_CASE("a point's cycles are those of one machine on a banked memory too") {
  const std::string network = test::model("lenet5");
  const stream::Config config = stream::Config::read(
      test::config("zcu102_stream"),
      {"ddr.fidelity=banked", "ddr.part=" + std::string(FANSIM_SOURCE_DIR) + "/configs/parts/zcu102_ddr4_2133.yaml"});
  const auto [with, without] = test::layer_by_layer(config, network);
  CHECK(with == test::cycles_of(config, network));
  CHECK(with == without);
}

TEST_CASE("the writer's gap that outlives its layer is counted where it delays the next") {
  const std::string network = test::model("lenet5");
  Subject subject("tiny_stream", network);
  for (const int gap : {0, 20, 1000}) {
    CAPTURE(gap);
    stream::Config config = subject.base;
    config.dma.s2mm_gap = gap;
    config.host = {0, 1, 0, 0, 0};
    const auto [with, without] = test::layer_by_layer(config, network);
    CHECK(with == test::cycles_of(config, network));
    CHECK((with == without) == (gap < 1000));
  }
}

// Changes every field of every block, one at a time.
TEST_CASE("streamed layers with the same key take the same cycles and bytes whatever field differs") {
  network::LoadOptions load;
  load.values = false;
  int same = 0, different = 0, slower = 0, shared = 0;
  for (const char* file : {"lenet5", "tiny_lstm"}) {
    const network::Network network = network::load_network(test::model(file), load);
    for (const char* multiplier : {"dsp48e2_dual_int8", "lut_reconfigurable"}) {
      const stream::Config base = stream::Config::read(
          test::config("tiny_stream"), {std::string("array.multiplier=") + multiplier, "dma.s2mm_gap=3"});
      for (const int layer : timed_layers(network, base)) {
        const auto reference = std::get<contract::Program>(program_of(network, layer, base));
        const std::string key = timing_key(base, reference, {});
        const contract::LayerResult expected = test::quiescent(base, reference);
        for (const auto& [path, changed] : test::neighbours(base)) {
          CAPTURE(file, multiplier, layer, path);
          const auto program = program_of(network, layer, changed);
          const bool same_program = program_key(changed) == program_key(base);
          if (same_program) REQUIRE(std::holds_alternative<contract::Program>(program));
          if (std::holds_alternative<std::string>(program)) continue;
          const auto& compiled = std::get<contract::Program>(program);
          if (same_program) {
            ++shared;
            const stream::HostTrace trace = stream::timed_program(compiled, changed).trace;
            const stream::HostTrace of_reference = stream::timed_program(reference, base).trace;
            CHECK(stream::steps_of(trace) == stream::steps_of(of_reference));
            for (const bool reloads : {false, true})
              CHECK(least_cycles(trace, changed, reloads) == least_cycles(of_reference, base, reloads));
          }
          const bool equal = timing_key(changed, compiled, {}) == key;
          const bool tables = multiplier == std::string("lut_reconfigurable");
          if (irrelevant(path) && !(tables && path == "array.shadow_luts")) CHECK(equal);
          const contract::LayerResult result = test::quiescent(changed, compiled);
          if (equal) {
            CHECK(result.cycles == expected.cycles);
            CHECK(result.bytes_read == expected.bytes_read);
            CHECK(result.bytes_written == expected.bytes_written);
          }
          ++(equal ? same : different);
          if (result.cycles != expected.cycles) ++slower;
        }
      }
    }
  }
  CHECK(shared > 100);
  CHECK(same > 100);
  CHECK(different > 100);
  CHECK(slower > 100);
}

TEST_CASE("streamed layers that points share are simulated once") {
  Subject subject("tiny_stream", test::model("lenet5"));
  explore::Point point{0, 1, 1, 0, 2, 2, 1};
  REQUIRE(subject.model.evaluate(point).kind == explore::Outcome::Kind::scored);
  const std::int64_t layers = subject.model.simulated_layers();
  CHECK(layers > 2);
  subject.model.evaluate(point);
  CHECK(subject.model.simulated_layers() == layers);
}

TEST_CASE("a point's bounds rise to its cycles as its layers are simulated and its programs say much of it") {
  for (const char* network : {"lenet5", "tiny_lstm"}) {
    Subject subject("tiny_stream", test::model(network));
    base::Random random(4);
    int scored = 0;
    for (int trial = 0; trial < 30; ++trial) {
      const explore::Point point = test::random_point(subject.space, random);
      CAPTURE(network, subject.space.text(point));
      const explore::Outcome outcome = subject.model.evaluate(point);
      if (outcome.kind != explore::Outcome::Kind::scored) {
        CHECK_FALSE(subject.model.bounds(explore::box_of(point), 0).possible);
        continue;
      }
      ++scored;
      double least = 0;
      explore::Bounds bounds{true, true, {}};
      for (int effort = 0; bounds.refinable; ++effort) {
        bounds = subject.model.bounds(explore::box_of(point), effort);
        const double low = of(bounds.metrics, explore::Metric::cycles).low;
        // The bound leaves out what short bursts and recurrent steps wait for.
        if (effort == 0) CHECK(low > 0.4 * of(outcome.metrics, explore::Metric::cycles));
        CHECK(low >= least);
        least = low;
      }
      for (const explore::Metric metric :
           {explore::Metric::cycles, explore::Metric::latency_ms, explore::Metric::energy_mj})
        CHECK(of(bounds.metrics, metric).low == of(outcome.metrics, metric));
      CHECK(of(bounds.metrics, explore::Metric::gops).high == of(outcome.metrics, explore::Metric::gops));
    }
    CHECK(scored > 10);
  }
}

TEST_CASE("a layer whose program was not kept takes the same time as one whose program was") {
  network::LoadOptions load;
  load.values = false;
  const network::Network network = network::load_network(test::model("lenet5"), load);
  Kept none{0}, some{3000}, all{100'000'000};
  for (const int outstanding : {1, 4, 1}) {
    const stream::Config config = stream::Config::read(
        test::config("tiny_stream"), {"axi.burst_beats=4", "axi.outstanding=" + std::to_string(outstanding)});
    for (const int layer : timed_layers(network, config)) {
      CAPTURE(outstanding, layer);
      const accelerators::LayerTime expected = all.time(config, network, layer);
      for (Kept* kept : {&none, &some}) {
        const accelerators::LayerTime time = kept->time(config, network, layer);
        CHECK(time.cycles == expected.cycles);
        CHECK(time.bytes_read == expected.bytes_read);
        const auto least = [&](Kept& of) {
          return of.programs.of(config, program_key(config), network, layer)->least(config);
        };
        CHECK(least(*kept) == least(all));
      }
    }
  }
  CHECK(none.times.simulated() == all.times.simulated());
  CHECK(none.recompiled > 0);
  CHECK(some.recompiled > 0);
  CHECK(some.recompiled < none.recompiled);
  CHECK(all.recompiled == 0);
}

TEST_CASE("a multiplier is a plain field and refused where the file speaks of tables that it would not have") {
  explore::Space space = test::space_named("tiny_stream");
  const auto configured = [&](const std::string& multiplier) {
    std::vector<std::string> overrides = space.set;
    overrides.push_back("array.multiplier=" + multiplier);
    return test::configured(space, stream::Config::read(space.config, space.set), overrides);
  };
  REQUIRE(accelerators::is_plain<stream::Config>(space));
  for (const char* multiplier : {"dsp48e2", "lut", "lut_reconfigurable"}) {
    const auto read = stream::Config::read(space.config, {std::string("array.multiplier=") + multiplier});
    const auto set = std::get<stream::Config>(configured(multiplier));
    CHECK(set.array.multiplier == read.array.multiplier);
    CHECK(set.array.shadow_luts == read.array.shadow_luts);
  }
  space.set = {"array.multiplier=lut_reconfigurable", "array.shadow_luts=false"};
  CHECK(accelerators::is_plain<stream::Config>(space));
  CHECK_THAT(std::get<std::string>(configured("lut")), Catch::Contains("tables to reload"));
  CHECK_FALSE(std::get<stream::Config>(configured("lut_reconfigurable")).array.shadow_luts);
}

TEST_CASE("branch and bound finds the front of the streaming machines that trying all of them finds") {
  const std::pair<const char*, const char*> searches[] = {
      {"tiny_stream", "lenet5"}, {"tiny_stream", "tiny_lstm"}, {"uestc_stream", "lenet5"}};
  for (const auto& [space, network] : searches) {
    CAPTURE(space, network);
    Subject all(space, test::model(network));
    const explore::SearchResult expected = explore::search(all.space, test::Unbounded(all.model), {});
    REQUIRE(expected.proven);
    REQUIRE(expected.front.size() > 3);
    for (const int jobs : {1, 3}) {
      Subject subject(space, test::model(network));
      explore::SearchOptions options;
      options.jobs = jobs;
      const explore::SearchResult result = explore::search(subject.space, subject.model, options);
      CHECK(result.proven);
      CHECK(result.counts.evaluated < expected.counts.evaluated);
      CHECK(subject.model.simulated_layers() < all.model.simulated_layers());
      REQUIRE(result.front.size() == expected.front.size());
      for (std::size_t i = 0; i < expected.front.size(); ++i) {
        CHECK(result.front[i].point == expected.front[i].point);
        CHECK(result.front[i].outcome.metrics == expected.front[i].outcome.metrics);
      }
    }
  }
}

}  // namespace fansim::stream_model_test
