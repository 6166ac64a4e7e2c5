// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/stream_core.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/random.h"

namespace fansim::stream_core_test {

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
  const stream::KnownJob* unknown = nullptr;
  const StreamCore::Job done = core.run(job, start, unknown);
  stream::CoreAccount account = core.account();
  account.add(before, -1);
  Outcome outcome{done.finished - start, done.tile == timing::kNever ? -1 : done.tile - start,
                  account.compute,       account.drain,
                  account.fill,          account.wait_output,
                  account.weight_waits,  {}};
  for (std::size_t i = waits; i < core.weight_waits().size(); ++i) {
    const stream::Wait& wait = core.weight_waits()[i];
    for (const Edge edge : {wait.first.from - start, wait.first.to - start, Edge{wait.count}, wait.period})
      outcome.waits.push_back(edge);
  }
  return outcome;
}

Outcome run_fresh(const stream::Command& job, Edge start) {
  StreamCore core(array());
  return run(core, job, start);
}

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

TEST_CASE("A job that the core knows already takes what it would take in a fresh core") {
  for (const stream::Command& job : {convolution(), pooled(), recurrent()}) {
    StreamCore core(array());
    const Outcome first = run(core, job, 7);
    CHECK(first == run_fresh(job, 7));
    CHECK(run(core, job, 100'000) == first);
    CHECK(run(core, job, 7'000'000) == first);
  }
}

TEST_CASE("A core takes no job for one that differs from it in any field of the command") {
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
        StreamCore core(array());
        const Outcome known = run(core, job, 7);
        const Outcome after = run(core, changed, 100'000);
        CHECK(after == run_fresh(changed, 100'000));
        CHECK(run(core, job, 200'000) == known);
        different += !(after == known);
      }
    }
  }
  CHECK(different > 40);  // the fields that decide something
}

TEST_CASE("A job close behind a known one meets what that one left") {
  const unsigned seed = 11;
  INFO("seed " << seed);
  base::Random random(seed);
  int met = 0;
  for (int i = 0; i < 3000; ++i) {
    const stream::Command first = random_pooled(random), second = random_pooled(random);
    StreamCore core(array()), other(array());
    run(core, first, 7);
    const Edge behind = 100'001 + run(core, first, 100'000).finished;
    run(other, first, 100'000);
    const Outcome outcome = run(core, second, behind);
    CHECK(outcome == run(other, second, behind));
    met += !(outcome == run_fresh(second, behind));
  }
  CHECK(met > 0);
}

}  // namespace fansim::stream_core_test
