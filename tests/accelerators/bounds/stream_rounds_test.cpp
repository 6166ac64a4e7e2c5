// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/bounds/slots.h"
#include "accelerators/stream/compile/host_program.h"
#include "subject.h"

namespace fansim::stream_rounds_test {

using accelerators::program_of;

namespace {

// Draws a machine whose layers have long runs of equal jobs, with any host, port and memory.
std::vector<std::string> random_machine(base::Random& random) {
  std::vector<std::string> settings;
  const auto set = [&](const char* key, int value) { settings.push_back(fmt::format("{}={}", key, value)); };
  const auto draw = [&](const char* key, int low, int high) { set(key, random.uniform(low, high)); };
  set("axi.data_bits", random.chance(50) ? 64 : 128);
  const int channels = 4 << random.uniform(0, 2);  // 16: words of two beats
  set("array.input_channels", channels);
  set("array.output_channels", std::max(8, channels));
  set("array.cols", random.chance(50) ? 3 : 6);
  set("axi.burst_beats", random.chance(80) ? 1 << random.uniform(0, 8) : random.uniform(1, 256));
  draw("axi.outstanding", 1, 16);
  draw("dma.mm2s_start", 1, 12);
  draw("dma.mm2s_stream", 1, 12);
  draw("dma.s2mm_start", 1, 12);
  if (random.chance(20)) draw("dma.s2mm_gap", 1, 100);
  const bool banked = random.chance(10);
  if (banked || random.chance(10)) settings.push_back(banked ? "ddr.fidelity=banked" : "ddr.fidelity=ideal");
  const int interval = random.chance(50) ? random.uniform(300, 4000) : random.uniform(16, 4000);
  set("ddr.refresh_interval", interval);
  draw("ddr.refresh_cycles", 0, std::min(200, interval / 2));
  draw("ddr.turnaround", 0, 12);
  const int least = banked ? 10 : 1;  // latency of a request, which banks have by itself
  draw("ddr.read_latency", least, 60);
  draw("ddr.write_latency", least, 60);
  const int most = random.chance(50) ? 40 : 3000;
  for (const char* key : {"host.register_write", "host.interrupt", "host.dma_setup", "host.layer_setup"})
    draw(key, 0, most);
  draw("host.register_read", 1, 1 + most / 10);
  return settings;
}

// Runs of jobs that read from few places, so that what a run leaves in the buffers may be what the next one asks for.
stream::Jobs random_runs(base::Random& random) {
  const auto place = [&] { return static_cast<std::uint32_t>(random.uniform(0, 7)); };
  stream::Jobs jobs(static_cast<std::size_t>(random.uniform(1, 6)));
  for (stream::RepeatedJob& repeated : jobs) {
    stream::Job& job = repeated.first;
    repeated.times = random.uniform(1, 9);
    job.command.start_conv = 1;
    job.command.groups = random.uniform(1, 2);
    if (random.chance(90)) job.input = {place() * 64, 64};
    repeated.input_step = random.chance(80) ? 64 : 0;
    job.bias = {place() * 64, 32};
    if (random.chance(50)) {
      job.weights = {4096 + place() * 128, 128};
      repeated.weights_step = random.chance(80) ? 128 : 0;
    } else {
      job.resident = {8192 + place() * 512, 512};
      job.command.weights_resident = 1;
      job.command.weight_base = random.uniform(0, 7);
      repeated.weight_base_step = random.uniform(0, 2);
    }
  }
  jobs.back().times = 1;
  jobs.back().first.command.send_output = jobs.back().first.command.last_round = 1;
  return jobs;
}

contract::Program program_of_runs(const stream::Jobs& jobs, const stream::Config& config, stream::LeftOuts* left_out) {
  stream::HostProgram host(config.host, left_out);
  host.layer(0, jobs, nullptr);
  contract::Program program;
  program.layers.resize(1);
  program.ops = host.take();
  return program;
}

}  // namespace

TEST_CASE("what is left out of runs of jobs comes again in the trace whatever is in the buffers behind them") {
  const stream::Config config = stream::Config::read(test::config("tiny_stream"), {});
  std::size_t less = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    base::Random random(seed, "runs");
    const stream::Jobs jobs = random_runs(random);
    CAPTURE(seed);
    stream::LeftOuts left_out;
    const contract::Program whole = program_of_runs(jobs, config, nullptr);
    const contract::Program some = program_of_runs(jobs, config, &left_out);
    less += whole.ops.size() - some.ops.size();
    REQUIRE(stream::steps_of(stream::timed_program(some, config, left_out).trace) ==
            stream::steps_of(stream::timed_program(whole, config).trace));
  }
  CHECK(less > 10'000);
}

TEST_CASE("a search that repeats rounds of jobs and knows which slots count has the cycles of who follows each job") {
  network::LoadOptions load;
  load.values = false;
  const network::Network network = network::load_network(test::model("resnet50"), load);
  std::vector<int> layers;
  for (int i = 0; i < static_cast<int>(network.layers.size()); ++i) {
    const network::Layer& layer = network.layers[static_cast<std::size_t>(i)];
    if (layer.type() == network::LayerType::conv && layer.in.channels >= 64 && layer.out.height <= 28)
      layers.push_back(i);
  }
  int compared = 0, less = 0;
  std::size_t repeated = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    base::Random random(seed, "rounds");
    const std::vector<std::string> settings = random_machine(random);
    const int layer = layers[static_cast<std::size_t>(random.uniform(0, static_cast<int>(layers.size()) - 1))];
    CAPTURE(seed, layer, settings);
    const stream::Config config = stream::Config::read(test::config("zcu102_stream"), settings);
    const auto compiled = program_of(network, layer, config);
    if (!std::holds_alternative<contract::Program>(compiled)) continue;
    const auto& program = std::get<contract::Program>(compiled);
    const stream::HostTrace trace = stream::timed_program(program, config).trace;
    for (const stream::Round& round : trace.rounds) repeated += round.alike ? round.times - 1 : 0;
    const auto timed = std::get<stream::TimedProgram>(stream::timed_program(network, layer, config));
    REQUIRE(stream::steps_of(timed.trace) == stream::steps_of(trace));
    const contract::LayerResult each = test::run_fast(config, program).front();
    const contract::LayerResult search = test::quiescent(config, program);
    REQUIRE(search.cycles == each.cycles);
    REQUIRE(search.bytes_read == each.bytes_read);
    REQUIRE(search.bytes_written == each.bytes_written);
    ++compared;
    stream::Config fewer = config;
    fewer.axi.outstanding = stream::SlotsThatCount(config).with(trace.largest_write);
    REQUIRE(test::quiescent(fewer, program).cycles == each.cycles);
    less += fewer.axi.outstanding < config.axi.outstanding;
  }
  CHECK(compared > 80);
  CHECK(repeated > 10'000);
  CHECK(less > 10);
}

}  // namespace fansim::stream_rounds_test
