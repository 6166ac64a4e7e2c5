// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/sliding_window.h"

#include <algorithm>

#include "support/blocks.h"

namespace fansim::sliding_window_test {

using stream::Column;
using stream::Pass;
using stream::SlidingWindow;
using stream::Window;

namespace {

constexpr std::uint64_t kSeed = 18;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Passes of random jobs over random columns, and the windows they hold.
struct Work {
  Work(const stream::ArrayConfig& array, int jobs_wanted, base::Random& random)
      : config(array), jobs(static_cast<std::size_t>(jobs_wanted)) {
    for (stream::Command& job : jobs) {
      job.input_unsigned = random.uniform(0, 1);
      const int kind = random.uniform(0, 9);
      if (kind < 2) {
        job.matrix = 1;
        job.fill_pieces = job.windows = random.uniform(1, 5);
        job.columns = job.windows * config.cols;
      } else if (kind < 3) {
        job.hidden_input = 1;
        job.start_recurrent = 1;
        job.windows = 30;  // for the accumulated block, not for a pass
        job.columns = config.cols;
      } else {
        job.kernel = random.uniform(1, 11);
        job.stride = random.uniform(1, 4);
        job.windows = random.uniform(1, 12);
        job.columns = (job.windows - 1) * job.stride + job.kernel + random.uniform(0, 3);
        job.blocks = (job.kernel + config.rows - 1) / config.rows;
        job.x_blocks = (job.kernel + config.cols - 1) / config.cols;
        job.parallel = random.uniform(1, config.windows_in_parallel(job.kernel, job.stride));
      }
      for (int p = 0; p < 3; ++p) add_pass(job, random);
    }
  }

  void add_pass(const stream::Command& job, base::Random& random) {
    Pass pass;
    pass.job = &job;
    pass.block = random.uniform(0, job.blocks - 1);
    pass.x_block = random.uniform(0, job.x_blocks - 1);
    pass.row = random.uniform(0, 9);
    pass.group = random.uniform(0, 9);
    pass.entry = random.uniform(0, 999);
    pass.first = random.chance(50);
    pass.last = random.chance(50);
    pass.job_end = random.chance(50);
    passes.push_back(pass);
    const std::size_t first_column = columns.size();
    for (int c = 0; c < job.columns; ++c) {
      columns.emplace_back();
      for (std::uint8_t& byte : columns.back().bytes) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
    }
    const bool whole = job.matrix || job.hidden_input;
    Expected e;
    e.pass = pass;
    e.kernel_rows = whole ? config.rows : std::min(config.rows, job.kernel - pass.block * config.rows);
    e.kernel_columns = whole ? config.cols : std::min(config.cols, job.kernel - pass.x_block * config.cols);
    const int windows_of_pass = job.hidden_input ? 1 : job.windows;
    for (int x = 0; x < windows_of_pass; ++x) {
      e.x = x;
      e.ends = x + 1 == windows_of_pass;
      e.column = first_column + at(pass.x_block * config.cols + x * (whole ? config.cols : job.stride));
      windows.push_back(e);
    }
  }

  // Kernel column k sits in the last taps. With one row, tap row m is line m; with several, row p's kernel row k is
  // tap row p * kernel + k and reads line p * stride + k of those in use, which are the last.
  void require(const std::vector<Window>& out) const {
    REQUIRE(out.size() == windows.size());
    for (std::size_t w = 0; w < windows.size(); ++w) {
      const Expected& e = windows[w];
      const stream::Command& job = *e.pass.job;
      INFO("window " << w << ", " << print(job));
      const stream::Tag& tag = out[w].tag;
      REQUIRE(tag.job == &job);
      REQUIRE(tag.x == e.x);
      REQUIRE(tag.entry == e.pass.entry + e.x);
      REQUIRE(tag.row == e.pass.row);
      REQUIRE(tag.group == e.pass.group);
      REQUIRE(tag.new_weights == (e.x == 0));
      REQUIRE(tag.first == e.pass.first);
      REQUIRE(tag.last == e.pass.last);
      REQUIRE(tag.job_end == (e.pass.job_end && e.ends));
      const int lines = (job.parallel - 1) * job.stride + e.kernel_rows;
      bool equal = true;
      for (int k = 0; k < e.kernel_columns; ++k)
        for (int p = 0; p < job.parallel; ++p)
          for (int r = 0; r < e.kernel_rows; ++r) {
            const int line = config.rows - lines + p * job.stride + r;
            const int tap_row = job.parallel == 1 ? config.rows - e.kernel_rows + r : p * e.kernel_rows + r;
            for (int i = 0; i < config.input_channels; ++i) {
              const std::uint8_t byte = columns[e.column + at(k)].bytes[at(line * config.input_channels + i)];
              const bool is_unsigned = job.input_unsigned && !job.hidden_input;  // the hidden state is int8
              const int value = is_unsigned || byte < 128 ? byte : byte - 256;
              const int tap_column = config.cols - e.kernel_columns + k;
              equal &= out[w].taps[at((tap_column * config.rows + tap_row) * config.input_channels + i)] == value;
            }
          }
      REQUIRE(equal);
    }
  }

  struct Expected {
    Pass pass;
    int x = 0;
    bool ends = false;
    int kernel_rows = 0, kernel_columns = 0;
    std::size_t column = 0;  // the window's first column in the stream
  };
  stream::ArrayConfig config;
  std::vector<stream::Command> jobs;
  std::vector<Pass> passes;
  std::vector<Column> columns;
  std::vector<Expected> windows;
};

// Contains a window unit and its second input; beats are columns.
struct Units {
  explicit Units(test::Bench& bench) : lanes(bench, &SlidingWindow::columns, &SlidingWindow::windows) {}
  auto& add(const Work& work, test::Stalls stalls) {
    auto& lane = lanes.add(work.columns, work.windows.size(), stalls, work.config);
    const std::string name = fmt::format("passes{}", lanes.size());
    streams.push_back(std::make_unique<sim::Stream<Pass>>(name.c_str()));
    sources.push_back(std::make_unique<test::Source<Pass>>((name + "_source").c_str(), work.passes));
    sources.back()->out(*streams.back());
    lane.block.pass(*streams.back());
    return lane;
  }
  test::Lanes<SlidingWindow, Column, Window> lanes;
  std::vector<std::unique_ptr<sim::Stream<Pass>>> streams;
  std::vector<std::unique_ptr<test::Source<Pass>>> sources;
};

stream::Command conv(int kernel, int stride, int windows) {
  stream::Command job;
  job.kernel = kernel;
  job.stride = stride;
  job.windows = windows;
  job.columns = (windows - 1) * stride + kernel;
  return job;
}

}  // namespace

TEST_CASE("windows hold the taps of any kernel and stride and kernel block and rows in parallel for any array") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Units units(bench);
  std::vector<std::unique_ptr<Work>> work;
  for (const stream::ArrayConfig& config : test::array_shapes()) {
    work.push_back(std::make_unique<Work>(config, 60, random));
    units.add(*work.back(), {0, 0});
  }
  units.lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) {
    INFO("shape " << i);
    work[i]->require(units.lanes[i].sink.items());
  }
  const auto parallel = [](const auto& w) {
    return std::any_of(w->jobs.begin(), w->jobs.end(), [](const stream::Command& job) { return job.parallel > 1; });
  };
  CHECK(std::any_of(work.begin(), work.end(), parallel));
}

TEST_CASE("a window leaves at the edge that takes its last column and columns flow one per cycle through passes") {
  base::Random random(kSeed);
  test::Bench bench;
  Units units(bench);
  std::vector<std::unique_ptr<Work>> work;
  for (const stream::ArrayConfig& config : test::array_shapes()) {
    work.push_back(std::make_unique<Work>(config, 40, random));
    units.add(*work.back(), {0, 0});
  }
  units.lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) {
    REQUIRE(test::back_to_back(units.lanes[i].source.edges()));
    for (std::size_t w = 0; w < work[i]->windows.size(); ++w) {
      const Work::Expected& e = work[i]->windows[w];
      REQUIRE(units.lanes[i].latency(e.column + at(e.kernel_columns) - 1, w) == 0);
    }
  }
}

TEST_CASE("a window unit forms one window per cycle at stride 1") {
  base::Random random(kSeed);
  test::Bench bench;
  Units units(bench);
  Work work(test::array_of(3, 3, 8, 8), 0, random);
  const stream::Command job = conv(1, 1, 150);
  work.add_pass(job, random);
  work.add_pass(job, random);
  auto& lane = units.add(work, {0, 0});
  units.lanes.run();
  CHECK(test::back_to_back(lane.sink.edges()));
}

TEST_CASE("a window unit holds back only the column that completes a window while its output is full") {
  base::Random random(kSeed);
  test::Bench bench;
  Units units(bench);
  Work work(test::array_of(3, 3, 8, 8), 0, random);
  const stream::Command job = conv(3, 3, 5);
  work.add_pass(job, random);
  auto& lane = units.add(work, {0, 0});
  lane.sink.not_before = 100;
  std::int64_t taken = 0;
  bench.at_each_edge([&](sim::Edge now) {
    if (now == 90) taken = lane.in.pops();
  });
  REQUIRE(bench.run_until([&] { return lane.sink.count() == 5; }));
  CHECK(taken == 2 * 3 + 2);  // two windows, and all of the third but its last column
  work.require(lane.sink.items());
}

TEST_CASE("random stalls change no window and every cycle is accounted for") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Units units(bench);
  const Work wide(test::array_of(6, 6, 8, 8), 30, random), narrow(test::array_of(1, 1, 8, 16), 30, random);
  for (const Work* work : {&wide, &narrow})
    for (const test::Stalls& stalls : test::kStallGrid) units.add(*work, stalls);
  units.lanes.run();
  for (std::size_t i = 0; i < units.lanes.size(); ++i) {
    (i < 9 ? wide : narrow).require(units.lanes[i].sink.items());
    REQUIRE(test::count(units.lanes[i].block, "windows") ==
            static_cast<std::int64_t>((i < 9 ? wide : narrow).windows.size()));
  }
  units.lanes.require_sums("columns");
}

}  // namespace fansim::sliding_window_test
