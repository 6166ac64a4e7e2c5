// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/replayed_core.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"

namespace fansim::stream_core_test {

using stream::ReplayedCore;
using stream::StreamCore;
using timing::Edge;

namespace {

stream::ArrayConfig array() {
  stream::ArrayConfig config;
  config.rows = config.cols = 3;
  config.input_channels = config.output_channels = 8;
  return config;
}

stream::Command convolution() {
  stream::Command job;
  job.start_conv = job.last_round = job.add_bias = job.send_output = 1;
  job.kernel = 3;
  job.blocks = 2;
  job.rows = 4;
  job.groups = 5;
  job.columns = 14;
  job.windows = job.output_columns = 12;
  job.output_row = 4;
  job.output_rows = 30;
  job.tile_rows = 4;
  return job;
}

stream::Command pooled() {
  stream::Command job = convolution();
  job.pool = 1;
  job.pool_kernel = 3;
  job.pool_stride = 2;
  job.pool_columns = job.output_columns = 6;
  job.pool_rows = 15;
  job.tile_rows = 2;
  return job;
}

stream::Command recurrent() {
  stream::Command job;
  job.start_recurrent = job.hidden_input = job.recurrent_output = job.last_round = 1;
  job.stride = job.kernel = 3;
  job.blocks = 3;
  job.groups = 8;
  job.columns = 9;
  job.windows = 4;
  job.steps = 3;
  return job;
}

struct Outcome {
  Edge finished, tile;
  std::int64_t compute, drain, fill, wait_output, weight_waits;
  std::vector<Edge> waits;

  bool operator==(const Outcome& o) const {
    return finished == o.finished && tile == o.tile && compute == o.compute && drain == o.drain && fill == o.fill &&
           wait_output == o.wait_output && weight_waits == o.weight_waits && waits == o.waits;
  }
};

// Returns what the core did in a job that it took at `start`, counted from there.
Outcome run(StreamCore& core, const stream::Command& job, Edge start) {
  const stream::CoreAccount before = core.account();
  const std::size_t waits = core.weight_waits().size();
  const StreamCore::Job done = core.run(job, start);
  stream::CoreAccount account = core.account();
  account.add(before, -1);
  Outcome outcome{done.finished - start, done.tile == timing::kNever ? -1 : done.tile - start,
                  account.compute,       account.drain,
                  account.fill,          account.wait_output,
                  account.weight_waits,  {}};
  for (std::size_t i = waits; i < core.weight_waits().size(); ++i) {
    const stream::Wait& wait = core.weight_waits()[i];
    for (int k = 0; k < wait.count; ++k)
      for (const Edge edge : {wait.first.from - start, wait.first.to - start})
        outcome.waits.push_back(edge + k * wait.period);
  }
  return outcome;
}

// By the recurrences alone.
Outcome run_fresh(const stream::Command& job, Edge start) {
  StreamCore core(array());
  return run(core, job, start);
}

// A core that replays the jobs of a trace.
struct Replaying {
  explicit Replaying(const std::vector<stream::Command>& jobs) {
    trace.commands = jobs;
    core.emplace(array(), trace, true, stream::JobTable());
  }
  Outcome run(std::size_t job, Edge start) { return stream_core_test::run(*core, trace.commands[job], start); }

  stream::HostTrace trace;
  std::optional<ReplayedCore> core;
};

// Changes one field of a command, by its place among the registers'. Not those that make another kind of job of it.
struct Change {
  int at, by;
  int next = 0;
  std::string name{};
  bool possible = false;

  void bits(const std::string& field, int& value, int, int, int, int width, const char*) {
    if (next++ != at) return;
    name = field;
    if (name == "start_conv" || name == "start_recurrent" || name == "recurrent_output") return;
    const int changed = value + (name == "groups" ? 4 * by : by);
    possible = changed >= (width == 1 || value == 0 ? 0 : 1) && changed < 1 << std::min(width, 30);
    if (possible) value = changed;
  }
  void address(const std::string& field, std::uint32_t&, int, const char*) {
    if (next++ == at) name = field;
  }
};

// Draws a short job with overlapping pooling windows over parallel rows, whose results take longer than its sums.
stream::Command random_pooled(base::Random& random) {
  stream::Command job;
  job.start_conv = job.last_round = job.add_bias = job.send_output = 1;
  job.kernel = 1;
  job.parallel = random.uniform(1, 3);
  job.groups = random.uniform(1, 2);
  job.columns = job.windows = random.uniform(1, 4);
  job.output_rows = job.parallel;
  job.pool = random.uniform(0, 3) > 0;
  job.pool_kernel = random.uniform(1, 5);
  job.pool_stride = 1;
  job.pool_top = job.pool_left = job.pool_kernel - 1;
  job.pool_columns = job.output_columns = job.windows + job.pool_kernel - 1;
  job.pool_rows = job.tile_rows = job.output_rows + job.pool_kernel - 1;
  return job;
}

}  // namespace

TEST_CASE("a job that the core replays takes what the recurrences say") {
  for (const stream::Command& job : {convolution(), pooled(), recurrent()}) {
    Replaying core({job});
    const Outcome first = core.run(0, 7);
    CHECK(first == run_fresh(job, 7));
    CHECK(core.run(0, 100'000) == first);
    CHECK(core.run(0, 7'000'000) == first);
  }
}

TEST_CASE("a core replays no job for one that differs from it in any field of the command") {
  int different = 0;
  for (const stream::Command& job : {convolution(), pooled(), recurrent()}) {
    for (const int by : {1, -1, 2}) {
      for (int at = 0;; ++at) {
        stream::Command changed = job;
        Change change{at, by};
        changed.visit(change);
        if (change.name.empty()) break;
        if (!change.possible || (changed.recurrent_output && !changed.last_round)) continue;
        INFO(change.name << " " << by << ": " << print(changed));
        Replaying core({job, changed});
        const Outcome first = core.run(0, 7);
        const Outcome after = core.run(1, 100'000);
        CHECK(after == Replaying({changed}).run(0, 100'000));  // a job that no compiler makes, too
        CHECK(core.run(0, 200'000) == first);
        different += !(after == first);
      }
    }
  }
  CHECK(different > 40);  // the fields that decide something
}

TEST_CASE("a job close behind a replayed one meets what that one left") {
  const unsigned seed = 11;
  INFO("seed " << seed);
  base::Random random(seed);
  int met = 0;
  for (int i = 0; i < 3000; ++i) {
    const stream::Command first = random_pooled(random), second = random_pooled(random);
    Replaying core({first, second});
    StreamCore alone(array());
    core.run(0, 7);
    const Edge behind = 100'001 + core.run(0, 100'000).finished;
    run(alone, first, 100'000);
    const Outcome outcome = core.run(1, behind);
    CHECK(outcome == run(alone, second, behind));
    met += !(outcome == run_fresh(second, behind));
  }
  CHECK(met > 0);
}

// Passes of several shapes, weights that are late, lines that are short: what is left out between two passes, or behind
// a window, must be what the recurrences say.
TEST_CASE("random jobs one behind the other take what the recurrences say") {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed, "cores");
    stream::ArrayConfig config = array();
    config.rows = config.cols = random.uniform(1, 5);
    config.line_memory = random.chance(50) ? stream::LineMemory::block : config.line_memory;
    std::vector<stream::Command> jobs;
    for (int i = random.uniform(1, 4); i > 0; --i) {
      stream::Command job = random.chance(30) ? random_pooled(random) : random.chance(50) ? convolution() : pooled();
      if (!job.pool) {
        job.groups = random.uniform(1, 20);
        job.blocks = random.uniform(1, 3);
        job.windows = job.output_columns = random.uniform(1, 20);
        job.columns = job.windows + job.kernel - 1;
        job.last_round = random.chance(60);
      }
      jobs.push_back(job);
    }
    stream::HostTrace trace;
    trace.commands = jobs;
    ReplayedCore replayed(config, trace, true, {});
    StreamCore core(config);
    Edge start = 1;
    for (int i = 0; i < 12; ++i) {
      const auto job = static_cast<std::size_t>(random.uniform(0, static_cast<int>(jobs.size()) - 1));
      const Outcome outcome = run(replayed, trace.commands[job], start);
      REQUIRE(outcome == run(core, jobs[job], start));
      start += outcome.finished + (random.chance(70) ? random.uniform(1, 4) : random.uniform(1, 300));
    }
  }
}

}  // namespace fansim::stream_core_test
