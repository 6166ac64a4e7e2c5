// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/line_buffer.h"

#include <deque>

#include "sim/violation.h"
#include "support/blocks.h"

namespace fansim::line_buffer_test {

using stream::Column;
using stream::LineBuffer;
using stream::LineCommand;
using Lanes = test::Lanes<LineBuffer, LineCommand, Column>;

namespace {

constexpr std::uint64_t kSeed = 17;

// Random fills and passes of random jobs, and every column they must present.
struct Work {
  Work(const stream::ArrayConfig& array, int jobs_wanted, test::Memory& input, test::Memory& hidden,
       base::Random& random)
      : config(array), input_(input), hidden_(hidden), jobs(static_cast<std::size_t>(jobs_wanted)) {
    for (stream::Command& job : jobs) {
      const bool pieces = random.chance(30);
      job.fill_pieces = pieces ? random.uniform(2, 6) : 1;
      job.fill_columns = random.uniform(1, pieces ? 4 : 24);
      job.columns = job.fill_columns * job.fill_pieces;
      job.fill_piece_step = random.uniform(1, 40);
      job.fill_line_step = random.uniform(1, 30);
      job.fill_block_step = random.uniform(0, 50);
      job.fill_base = random.uniform(0, 100);
      job.input_select = random.uniform(0, 1);
      job.hidden_input = random.chance(20);
      lines.clear();  // another width: what is left of older lines means nothing
      const int fills = random.uniform(1, 4);
      for (int f = 0; f < fills; ++f) {
        LineCommand fill;
        fill.job = &job;
        fill.fill = true;
        fill.zero_state = random.chance(50);
        fill.block = random.uniform(0, 3);
        fill.line = random.uniform(0, 5);
        fill.lines = random.uniform(1, config.rows);
        add_fill(fill);
        const int passes = random.uniform(0, 3);
        for (int p = 0; p < passes; ++p) add_pass(job);
      }
      add_pass(job);
    }
  }

  void add_fill(const LineCommand& fill) {
    commands.push_back(fill);
    const stream::Command& job = *fill.job;
    const test::Memory& memory = job.hidden_input ? hidden_ : input_;
    const auto& bytes = memory.bytes[static_cast<std::size_t>(job.hidden_input ? fill.zero_state : job.input_select)];
    for (int l = fill.line; l < fill.line + fill.lines; ++l) {
      std::vector<std::uint8_t> line;
      for (int piece = 0; piece < job.fill_pieces; ++piece)
        for (int word = 0; word < job.fill_columns; ++word) {
          const int address = job.fill_base + fill.block * job.fill_block_step + l * job.fill_line_step +
                              piece * job.fill_piece_step + word;
          const auto from = bytes.begin() + address * config.input_channels;
          line.insert(line.end(), from, from + config.input_channels);
        }
      lines.push_back(line);
      if (lines.size() > static_cast<std::size_t>(config.rows)) lines.pop_front();
    }
    words += fill.lines * job.columns;
  }

  void add_pass(const stream::Command& job) {
    LineCommand pass;
    pass.job = &job;
    commands.push_back(pass);
    for (int c = 0; c < job.columns; ++c) columns.push_back({lines, c});
  }

  // The lines filled last are the last of the buffers, the newest at the end.
  void require(const std::vector<Column>& out) const {
    REQUIRE(out.size() == columns.size());
    const auto bytes = static_cast<std::size_t>(config.input_channels);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const auto& expected = columns[k].lines;
      const std::size_t first = static_cast<std::size_t>(config.rows) - expected.size();
      for (std::size_t l = 0; l < expected.size(); ++l)
        REQUIRE(std::memcmp(out[k].bytes.data() + (first + l) * bytes,
                            expected[l].data() + static_cast<std::size_t>(columns[k].column) * bytes, bytes) == 0);
    }
  }

  struct Expected {
    std::deque<std::vector<std::uint8_t>> lines;
    int column;
  };
  stream::ArrayConfig config;
  test::Memory& input_;
  test::Memory& hidden_;
  std::vector<stream::Command> jobs;
  std::vector<LineCommand> commands;
  std::deque<std::vector<std::uint8_t>> lines;
  std::vector<Expected> columns;
  int words = 0;
};

struct Memories {
  explicit Memories(base::Random& random) {
    input.randomise(random);
    hidden.randomise(random);
  }
  test::Memory input, hidden;
};

stream::Command job_of(int columns) {
  stream::Command job;
  job.columns = job.fill_columns = columns;
  job.fill_line_step = columns;
  return job;
}

LineCommand fill_of(const stream::Command& job, int lines) {
  LineCommand fill;
  fill.job = &job;
  fill.fill = true;
  fill.lines = lines;
  return fill;
}

LineCommand pass_of(const stream::Command& job) {
  LineCommand pass;
  pass.job = &job;
  return pass;
}

}  // namespace

TEST_CASE("the line buffers present every column of the last lines filled as often as asked for any array") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  Memories memories(random);
  test::Bench bench;
  Lanes lanes(bench, &LineBuffer::command, &LineBuffer::columns);
  std::vector<std::unique_ptr<Work>> work;
  std::vector<stream::ArrayConfig> configs;
  for (stream::ArrayConfig config : test::array_shapes()) {
    configs.push_back(config);
    config.line_memory = stream::LineMemory::block;
    configs.push_back(config);
  }
  for (const stream::ArrayConfig& config : configs) {
    work.push_back(std::make_unique<Work>(config, 25, memories.input, memories.hidden, random));
    lanes.add(work.back()->commands, work.back()->columns.size(), {0, 0}, config, memories.input, memories.hidden);
  }
  lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) {
    work[i]->require(lanes[i].sink.items());
    REQUIRE(test::count(lanes[i].block, "words_filled") == work[i]->words);
    REQUIRE(test::count(lanes[i].block, "columns") == static_cast<std::int64_t>(work[i]->columns.size()));
  }
}

TEST_CASE("a pass begins at the edge that takes it and a fill takes its words and the RAM's latency") {
  base::Random random(kSeed);
  Memories memories(random);
  test::Bench bench;
  Lanes lanes(bench, &LineBuffer::command, &LineBuffer::columns);
  const stream::Command job = job_of(10);
  auto& lane = lanes.add({fill_of(job, 3), pass_of(job)}, 20, {0, 0}, test::array_of(3, 3, 8, 8), memories.input,
                         memories.hidden);
  lane.source.add(pass_of(job), 200);
  lanes.run();
  CHECK(lane.latency(2, 10) == 0);
  CHECK(lane.latency(0, 0) == 3 * 10 + stream::ArrayConfig::bram_read_latency());
}

TEST_CASE("a column of block RAMs is pushed two edges after it is read and a fill waits for the last one") {
  base::Random random(kSeed);
  Memories memories(random);
  test::Bench bench;
  Lanes lanes(bench, &LineBuffer::command, &LineBuffer::columns);
  const stream::Command job = job_of(10);
  const std::vector<LineCommand> commands{fill_of(job, 3), pass_of(job), fill_of(job, 1), pass_of(job)};
  stream::ArrayConfig config = test::array_of(3, 3, 8, 8);
  lanes.add(commands, 20, {0, 0}, config, memories.input, memories.hidden);
  config.line_memory = stream::LineMemory::block;
  const auto& lane = lanes.add(commands, 20, {0, 0}, config, memories.input, memories.hidden);
  lanes.run();
  CHECK(lane.latency(0, 0) == 3 * 10 + stream::ArrayConfig::bram_read_latency() + 2);
  CHECK(lanes[1].sink.edges()[0] == lanes[0].sink.edges()[0] + 2);
  CHECK(lanes[1].sink.edges()[10] == lanes[0].sink.edges()[10] + 4);
}

TEST_CASE("the line buffers present one column per cycle with no bubble between passes") {
  base::Random random(kSeed);
  Memories memories(random);
  test::Bench bench;
  Lanes lanes(bench, &LineBuffer::command, &LineBuffer::columns);
  const stream::Command wide = job_of(28), narrow = job_of(1);
  stream::ArrayConfig config = test::array_of(3, 3, 8, 8);
  for (const stream::LineMemory memory : {stream::LineMemory::srl, stream::LineMemory::block}) {
    config.line_memory = memory;
    for (const stream::Command* job : {&wide, &narrow}) {
      std::vector<LineCommand> commands(150, pass_of(*job));
      lanes.add(commands, static_cast<std::size_t>(150 * job->columns), {0, 0}, config, memories.input,
                memories.hidden);
    }
  }
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) REQUIRE(test::back_to_back(lanes[i].sink.edges()));
}

TEST_CASE("random stalls change no column and every cycle is a fill's or a column's or a stall or idle") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  Memories memories(random);
  test::Bench bench;
  Lanes lanes(bench, &LineBuffer::command, &LineBuffer::columns);
  const stream::ArrayConfig config = test::array_of(5, 5, 4, 8);
  const Work work(config, 15, memories.input, memories.hidden, random);
  for (const test::Stalls& stalls : test::kStallGrid)
    lanes.add(work.commands, work.columns.size(), stalls, config, memories.input, memories.hidden);
  std::vector<std::int64_t> busy(lanes.size()), idle(lanes.size());
  std::int64_t edges = 0;
  bench.at_each_edge([&](sim::Edge now) {
    edges = now - 1;
    if (edges == 0) return;
    for (std::size_t i = 0; i < lanes.size(); ++i) ++(lanes[i].block.busy() ? busy : idle)[i];
  });
  REQUIRE(bench.run_until([&] {
    for (std::size_t i = 0; i < lanes.size(); ++i)
      if (lanes[i].sink.count() < work.columns.size()) return false;
    return true;
  }));
  std::int64_t fills = 0;
  for (const LineCommand& command : work.commands) fills += command.fill;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    work.require(lanes[i].sink.items());
    const std::int64_t working = work.words + fills * stream::ArrayConfig::bram_read_latency() +
                                 test::count(lanes[i].block, "columns") + test::count(lanes[i].block, "stalls");
    // busy() is false after the last cycle of every fill and pass.
    REQUIRE(working == busy[i] + static_cast<std::int64_t>(work.commands.size()));
    REQUIRE(busy[i] + idle[i] == edges);
    if (test::kStallGrid[i].out == 0) REQUIRE(test::count(lanes[i].block, "stalls") == 0);
  }
}

TEST_CASE("random stalls change no column of block RAMs") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  Memories memories(random);
  test::Bench bench;
  Lanes lanes(bench, &LineBuffer::command, &LineBuffer::columns);
  stream::ArrayConfig config = test::array_of(5, 5, 4, 8);
  config.line_memory = stream::LineMemory::block;
  const Work work(config, 15, memories.input, memories.hidden, random);
  for (const test::Stalls& stalls : test::kStallGrid)
    lanes.add(work.commands, work.columns.size(), stalls, config, memories.input, memories.hidden);
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) work.require(lanes[i].sink.items());
}

TEST_CASE("a line longer than the line buffers is a violation") {
  test::Memory input, hidden;
  test::Bench bench;
  Lanes lanes(bench, &LineBuffer::command, &LineBuffer::columns);
  stream::ArrayConfig config = test::array_of(3, 3, 8, 8);
  config.line_columns = 16;
  const stream::Command fits = job_of(16), too_long = job_of(17);
  lanes.add({fill_of(fits, 3), pass_of(fits), fill_of(too_long, 1)}, 16, {0, 0}, config, input, hidden);
  REQUIRE_THROWS_WITH(bench.run(200), Catch::Contains("lane0_block: a line is longer than the line buffers are deep"));
  CHECK(lanes[0].sink.count() == 16);
}

}  // namespace fansim::line_buffer_test
