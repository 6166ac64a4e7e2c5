// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/program_cache.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/bounds/shared_tables.h"
#include "accelerators/tables_by_key.h"
#include "subject.h"

namespace fansim::known_programs_test {

using accelerators::program_of;

namespace {

void set(stream::Config& config, const char* path, const std::string& text) {
  const std::string problem = contract::set_field(config, path, text);
  if (!problem.empty()) FAIL(problem);
}

void draw_array(stream::Config& config, base::Random& random) {
  constexpr const char* kMultipliers[] = {"dsp48e2", "dsp48e2_dual_int8", "lut", "lut_reconfigurable"};
  set(config, "array.multiplier", kMultipliers[random.uniform(0, 3)]);
  const int inputs = 1 << random.uniform(1, 3);
  set(config, "array.input_channels", std::to_string(inputs));
  set(config, "array.output_channels", std::to_string(inputs * random.uniform(1, 2)));
  set(config, "array.cols", std::to_string(random.uniform(1, 6)));
  set(config, "axi.data_bits", random.chance(50) ? "64" : "128");
}

// Draws what decides how layers are cut into jobs, and the lengths of bursts and of memory accesses.
void draw_sizes(stream::Config& config, base::Random& random) {
  const auto draw = [&](const char* path, int low, int high) {
    set(config, path, std::to_string(random.uniform(low, high)));
  };
  draw("buffers.weight_kib", 2, 64);
  draw("buffers.input_kib", 2, 32);
  draw("buffers.resident_kib", 0, 64);
  draw("buffers.output_kib", 2, 32);
  draw("buffers.bias_kib", 2, 3);
  draw("array.accumulator_depth", 64, 2000);
  draw("pooling.line_words", 16, 512);
  draw("axi.burst_beats", 1, 64);
  draw("axi.outstanding", 1, 16);
  draw("ddr.read_latency", 1, 30);
  draw("ddr.write_latency", 1, 30);
  draw("ddr.turnaround", 0, 9);
  set(config, "schedule.loop_order", random.chance(30) ? "thesis" : "least_traffic");
}

}  // namespace

TEST_CASE("a program of layers that are cut alike is what each of them is compiled to") {
  network::LoadOptions load;
  load.values = false;
  int programs = 0, shared = 0;
  for (const char* file : {"tiny_conv", "tiny_grouped", "tiny_mobile", "tiny_residual", "tiny_lstm", "lenet5"}) {
    const network::Network network = network::load_network(test::model(file), load);
    stream::ProgramCache known;
    std::set<const stream::CachedProgram*> met;
    base::Random random(3, file);
    for (int array = 0; array < 6; ++array) {
      stream::Config config = stream::Config::read(test::config("tiny_stream"), {});
      draw_array(config, random);
      for (int sizes = 0; sizes < 12; ++sizes) {
        draw_sizes(config, random);
        if (!refusal(config).empty()) continue;
        for (const int layer : timed_layers(network, config)) {
          CAPTURE(file, array, sizes, layer);
          const auto of_search = known.of(config, program_key(config), network, layer);
          const auto alone = program_of(network, layer, config);
          const auto* refused = std::get_if<std::string>(&alone);
          REQUIRE(of_search->refusal == (refused ? *refused : ""));
          if (refused) continue;
          REQUIRE(of_search->steps ==
                  stream::steps_of(stream::timed_program(std::get<contract::Program>(alone), config).trace));
          ++programs;
          shared += met.insert(of_search.get()).second ? 0 : 1;
        }
      }
    }
  }
  CAPTURE(programs, shared);
  CHECK(shared > programs / 2);
}

TEST_CASE("a layer takes as long whatever is known of jobs and transfers and what is known is bounded") {
  network::LoadOptions load;
  load.values = false;
  constexpr std::size_t kMost = 40;
  accelerators::TablesByKey<stream::JobTable> few(kMost), all(1'000'000);
  accelerators::TablesByKey<stream::TransferTable> few_transfers(kMost), all_transfers(1'000'000);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    base::Random random(seed);
    stream::Config config = stream::Config::read(test::config("tiny_stream"), {});
    set(config, "array.cols", std::to_string(random.uniform(2, 3)));
    set(config, "array.multiplier", random.chance(50) ? "dsp48e2" : "lut_reconfigurable");
    draw_sizes(config, random);
    if (!refusal(config).empty()) continue;
    for (const char* file : {"tiny_grouped", "tiny_residual", "tiny_lstm", "lenet5"}) {
      const network::Network network = network::load_network(test::model(file), load);
      for (const int layer : timed_layers(network, config)) {
        const auto program = program_of(network, layer, config);
        if (!std::holds_alternative<contract::Program>(program)) continue;
        const base::Cycles fresh = test::quiescent(config, std::get<contract::Program>(program)).cycles;
        const stream::TimedProgram timed = stream::timed_program(std::get<contract::Program>(program), config);
        for (const bool bounded : {true, false}) {
          auto& jobs = bounded ? few : all;
          auto& transfers = bounded ? few_transfers : all_transfers;
          const std::string array = stream::array_key(config.array), path = stream::transfers_key(config);
          stream::ReplayTables known{jobs.take(array), transfers.take(path)};
          accelerators::Gaps gaps;
          CAPTURE(seed, file, layer);
          REQUIRE(stream::time_layer(config, timed, gaps, known).cycles == fresh);
          jobs.give(array, std::move(known.jobs));
          transfers.give(path, std::move(known.transfers));
          CHECK(few.size() <= kMost);
          CHECK(few_transfers.size() <= kMost);
        }
      }
    }
  }
  CHECK(all.size() > kMost);
  CHECK(all_transfers.size() > kMost);
  CHECK(all.take("").size() == 0);
  CHECK(all_transfers.take("").size() == 0);
}

// Configurations that differ in one thing each share what they know, as far as their keys are alike.
TEST_CASE("a layer takes as long whatever other configurations share with it") {
  network::LoadOptions load;
  load.values = false;
  stream::SharedTables seen;
  int layers = 0;
  for (const char* change :
       {"axi.outstanding=2", "axi.data_bits=128", "axi.burst_beats=4", "axi.outstanding=1", "dma.s2mm_start=20",
        "dma.s2mm_store=9", "dma.s2mm_gap=30", "ddr.write_latency=60", "ddr.turnaround=9", "ddr.refresh_interval=400",
        "ddr.fidelity=ideal", "array.output_channels=8", "ddr.read_latency=3"}) {
    std::vector<std::string> settings{"host.dma_setup=0",     "host.interrupt=0",      "host.layer_setup=0",
                                      "host.register_read=1", "host.register_write=0", change};
    if (change == std::string("array.output_channels=8")) settings.emplace_back("array.input_channels=8");
    const stream::Config config = stream::Config::read(test::config("tiny_stream"), settings);
    REQUIRE(refusal(config).empty());
    for (const char* file : {"tiny_residual", "lenet5"}) {
      const network::Network network = network::load_network(test::model(file), load);
      for (const int layer : timed_layers(network, config)) {
        const auto program = program_of(network, layer, config);
        if (!std::holds_alternative<contract::Program>(program)) continue;
        const stream::TimedProgram timed = stream::timed_program(std::get<contract::Program>(program), config);
        const stream::SharedTables::Keys keys(config);
        stream::ReplayTables known = seen.take(keys);
        accelerators::Gaps gaps;
        CAPTURE(change, file, layer);
        CHECK(stream::time_layer(config, timed, gaps, known).cycles ==
              test::quiescent(config, std::get<contract::Program>(program)).cycles);
        seen.give(keys, std::move(known));
        ++layers;
      }
    }
  }
  CHECK(layers > 100);
}

}  // namespace fansim::known_programs_test
