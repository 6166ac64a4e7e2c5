// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/sequencer.h"

#include <algorithm>

#include "accelerators/stream/hardware/recurrent_cell.h"
#include "support/blocks.h"

namespace fansim::sequencer_test {

using stream::Gate;
using stream::JobDone;
using stream::LineCommand;
using stream::Pass;
using stream::Pixel;
using stream::RecurrentCell;
using stream::Sequencer;
using stream::WeightCommand;

namespace {

constexpr std::uint64_t kSeed = 22;

// Writes out the nest of stream::Command.
struct Expected {
  std::vector<LineCommand> lines;
  std::vector<Pass> passes;
  std::vector<WeightCommand> weights;
};

void expect_job(const stream::Command& job, const stream::ArrayConfig& config, Expected& e) {
  const int steps = job.start_recurrent ? job.steps : 1;
  for (int step = 0; step < steps; ++step) {
    int set = 0;
    for (int block = 0; block < job.blocks; ++block) {
      const bool whole = job.matrix || job.hidden_input;
      const int kernel_rows = whole ? config.rows : std::min(config.rows, job.kernel - block * config.rows);
      const int lines = (job.parallel - 1) * job.stride + kernel_rows;
      for (int row = 0; row < job.rows; ++row) {
        // These are the input rows up to the last that this group of output rows needs.
        const int needed = whole ? lines : row * job.parallel * job.stride + lines;
        const int fresh = std::min(lines, row == 0 ? lines : job.parallel * job.stride);
        LineCommand fill;
        fill.fill = true;
        fill.zero_state = job.add_bias && step == 0;
        fill.block = block;
        fill.line = needed - fresh;
        fill.lines = fresh;
        e.lines.push_back(fill);
        for (int x_block = 0; x_block < job.x_blocks; ++x_block)
          for (int group = 0; group < job.groups; ++group) {
            Pass pass;
            pass.block = block;
            pass.row = job.start_recurrent ? step : row;
            pass.x_block = x_block;
            pass.group = group;
            pass.entry = job.start_recurrent ? group * job.windows + job.step_offset + step
                                             : (row * job.groups + group) * job.windows;
            pass.first = job.add_bias && !job.start_recurrent && block == 0 && x_block == 0;
            pass.last = job.last_round && block == job.blocks - 1 && x_block == job.x_blocks - 1;
            pass.job_end = !job.start_recurrent && block == job.blocks - 1 && row == job.rows - 1 &&
                           x_block == job.x_blocks - 1 && group == job.groups - 1;
            e.lines.push_back({});
            e.passes.push_back(pass);
            const int of_row = x_block * job.groups + group;
            e.weights.push_back(
                {job.weights_resident ? 2 : job.weight_select, job.weight_base + (set + of_row) * config.cols});
          }
      }
      set += job.x_blocks * job.groups;
    }
  }
}

stream::Command random_conv(const stream::ArrayConfig& config, base::Random& random) {
  stream::Command job;
  job.start_conv = 1;
  job.kernel = random.uniform(1, 11);
  job.stride = random.uniform(1, 3);
  job.parallel = random.uniform(1, config.windows_in_parallel(job.kernel, job.stride));
  job.blocks = (job.kernel + config.rows - 1) / config.rows;
  job.x_blocks = (job.kernel + config.cols - 1) / config.cols;
  job.rows = random.uniform(1, 4);
  job.groups = random.uniform(1, 3);
  job.windows = random.uniform(1, 5);
  job.add_bias = random.uniform(0, 1);
  job.accumulate = !job.add_bias;
  job.last_round = random.uniform(0, 1);
  job.weights_resident = random.uniform(0, 1);
  job.weight_base = random.uniform(0, 50);
  job.input_select = random.uniform(0, 1);
  job.weight_select = random.uniform(0, 1);
  job.bias_select = random.uniform(0, 1);
  job.output_select = random.uniform(0, 1);
  job.send_output = random.uniform(0, 1);
  if (random.chance(25)) {
    job.matrix = 1;
    job.x_blocks = job.rows = job.parallel = 1;
    job.blocks = random.uniform(1, 4);
  }
  return job;
}

stream::Command random_recurrent(base::Random& random) {
  stream::Command job;
  job.start_recurrent = job.hidden_input = job.recurrent_output = job.last_round = job.weights_resident = 1;
  job.groups = 4 * random.uniform(1, 3);
  job.blocks = random.uniform(1, 3);
  job.steps = random.uniform(1, 4);
  job.windows = 20;
  job.step_offset = random.uniform(0, 10);
  job.add_bias = random.uniform(0, 1);
  return job;
}

// Answers the sequencer as the data path does: a job's end after its last pass, gates for every finished group.
class Responder final : public sim::Module {
 public:
  sim::StreamIn<Pass> passes{"passes"};
  sim::StreamOut<JobDone> done{"done"};
  sim::StreamOut<Gate> gates{"gates"};
  Responder(const sc_core::sc_module_name& name, int stall_percent)
      : Module(name), stall_percent_(stall_percent), random_(kSeed, this->name()) {}
  std::vector<Pass> seen;
  std::vector<sim::Edge> edges;

 private:
  void step() override {
    if (!passes.can_pop() || !done.can_push() || !gates.can_push() || random_.chance(stall_percent_)) return;
    const Pass& pass = passes.pop();
    seen.push_back(pass);
    edges.push_back(now());
    if (pass.job_end) done.push(JobDone{});
    if (pass.job->recurrent_output && pass.last) {
      Gate gate{};
      gate.tag.job = pass.job;
      gate.tag.row = pass.row;
      gate.tag.group = pass.group;
      gates.push(gate);
    }
  }
  int stall_percent_;
  base::Random random_;
};

struct Rig {
  Rig(const std::string& n, const stream::ArrayConfig& config, const std::vector<stream::Command>& jobs,
      test::Stalls stalls = {0, 0})
      : command((n + "_command").c_str()),
        done((n + "_done").c_str()),
        line((n + "_line").c_str()),
        pass((n + "_pass").c_str()),
        weight((n + "_weight").c_str()),
        gate((n + "_gate").c_str()),
        hidden((n + "_hidden").c_str()),
        cell((n + "_cell").c_str(), config),
        sequencer((n + "_sequencer").c_str(), config, input, weights, bias, output, cell),
        source((n + "_source").c_str(), jobs, stalls.in),
        lines((n + "_lines").c_str(), stalls.out),
        weight_sink((n + "_weights").c_str(), stalls.out),
        hidden_sink((n + "_hidden_sink").c_str()),
        responder((n + "_responder").c_str(), stalls.out) {
    source.out(command);
    sequencer.command(command);
    sequencer.lines(line);
    lines.in(line);
    sequencer.passes(pass);
    responder.passes(pass);
    sequencer.weights(weight);
    weight_sink.in(weight);
    responder.done(done);
    sequencer.done(done);
    responder.gates(gate);
    cell.gates(gate);
    cell.out(hidden);
    hidden_sink.in(hidden);
  }
  void require(const Expected& e) const {
    REQUIRE(lines.count() == e.lines.size());
    REQUIRE(responder.seen.size() == e.passes.size());
    REQUIRE(weight_sink.count() == e.weights.size());
    std::int64_t fills = 0;
    for (std::size_t k = 0; k < e.lines.size(); ++k) {
      const LineCommand &a = lines.items()[k], &b = e.lines[k];
      REQUIRE(a.fill == b.fill);
      if (!b.fill) continue;
      ++fills;
      REQUIRE(a.zero_state == b.zero_state);
      REQUIRE(a.block == b.block);
      REQUIRE(a.line == b.line);
      REQUIRE(a.lines == b.lines);
    }
    for (std::size_t k = 0; k < e.passes.size(); ++k) {
      const Pass &a = responder.seen[k], &b = e.passes[k];
      REQUIRE(a.block == b.block);
      REQUIRE(a.row == b.row);
      REQUIRE(a.x_block == b.x_block);
      REQUIRE(a.group == b.group);
      REQUIRE(a.entry == b.entry);
      REQUIRE(a.first == b.first);
      REQUIRE(a.last == b.last);
      REQUIRE(a.job_end == b.job_end);
      REQUIRE(weight_sink.items()[k].target == e.weights[k].target);
      REQUIRE(weight_sink.items()[k].row == e.weights[k].row);
    }
    REQUIRE(test::count(sequencer, "fills") == fills);
    REQUIRE(test::count(sequencer, "passes") == static_cast<std::int64_t>(e.passes.size()));
  }

  test::Memory input, weights, bias, output;
  sim::Stream<stream::Command> command;
  sim::Stream<JobDone> done;
  sim::Stream<LineCommand> line;
  sim::Stream<Pass> pass;
  sim::Stream<WeightCommand> weight;
  sim::Stream<Gate> gate;
  sim::Stream<Pixel> hidden;
  RecurrentCell cell;
  Sequencer sequencer;
  test::Source<stream::Command> source;
  test::Sink<LineCommand> lines;
  test::Sink<WeightCommand> weight_sink;
  test::Sink<Pixel> hidden_sink;
  Responder responder;
};

stream::Command plain_job() {
  stream::Command job;
  job.start_conv = job.add_bias = job.last_round = job.send_output = 1;
  job.kernel = 3;
  return job;
}

}  // namespace

TEST_CASE("the sequencer walks the command's nest for any convolution or matrix or recurrent job under random stalls") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  std::vector<Expected> expected;
  for (const stream::ArrayConfig& config : test::array_shapes())
    for (const test::Stalls& stalls : test::kStallGrid) {
      std::vector<stream::Command> jobs;
      for (int j = 0; j < 25; ++j)
        jobs.push_back(random.chance(30) ? random_recurrent(random) : random_conv(config, random));
      expected.emplace_back();
      for (const stream::Command& job : jobs) expect_job(job, config, expected.back());
      rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()), config, jobs, stalls));
    }
  REQUIRE(bench.run_until([&] {
    return std::all_of(rigs.begin(), rigs.end(), [](auto& rig) { return rig->sequencer.jobs_done() == 25; });
  }));
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    INFO("rig " << i);
    rigs[i]->require(expected[i]);
  }
}

TEST_CASE("the first fill leaves at the edge that starts the job and then one line command per cycle") {
  test::Bench bench;
  stream::Command job = plain_job();
  job.groups = 150;
  Rig rig("rig", test::array_of(3, 3, 8, 8), {job});
  REQUIRE(bench.run_until([&] { return rig.sequencer.jobs_done() == 1; }));
  REQUIRE(rig.lines.count() == 151);
  CHECK(rig.lines.edges()[0] - rig.source.edges()[0] == 2);
  CHECK(test::back_to_back(rig.lines.edges()));
}

TEST_CASE("the job interrupt rises one edge after the job's end arrives and the next job starts there") {
  test::Bench bench;
  Rig rig("rig", test::array_of(3, 3, 8, 8), {plain_job(), plain_job()});
  sim::Edge first_done = 0;
  bench.at_each_edge([&](sim::Edge now) {
    if (!first_done && rig.sequencer.jobs_done() == 1) first_done = now;
  });
  REQUIRE(bench.run_until([&] { return rig.sequencer.jobs_done() == 2; }));
  // The responder takes the only pass and pushes the end at that edge; the sequencer sees it one later.
  const sim::Edge taken = rig.responder.edges[0];
  CHECK(first_done == taken + 2);
  CHECK(rig.lines.edges()[2] == first_done + 1);
}

TEST_CASE("a job waits for its input and then its weights and bias and then its output half") {
  using State = Sequencer::State;
  test::Bench bench;
  stream::Command job = plain_job();
  job.input_select = 1;
  job.weight_select = 0;
  job.bias_select = 1;
  job.output_select = 1;
  Rig rig("rig", test::array_of(3, 3, 8, 8), {job});
  rig.input.ready[1] = rig.weights.ready[0] = rig.bias.ready[1] = rig.output.ready[1] = false;
  std::vector<State> states;
  bench.at_each_edge([&](sim::Edge now) {
    if (now == 10) rig.input.ready[1] = true;
    if (now == 20) rig.weights.ready[0] = true;
    if (now == 30) rig.bias.ready[1] = true;
    if (now == 40) rig.output.ready[1] = true;
    states.push_back(rig.sequencer.state());
  });
  REQUIRE(bench.run_until([&] { return rig.sequencer.jobs_done() == 1; }, 100));
  CHECK(states[8] == State::wait_input);  // as edge 8 left it
  CHECK(states[15] == State::wait_weights);
  CHECK(states[25] == State::wait_weights);
  CHECK(states[35] == State::wait_output);
  CHECK(rig.lines.edges()[0] == 41);
}

TEST_CASE("a job waits only for what it uses: resident weights or hidden state or no output") {
  test::Bench bench;
  base::Random random(kSeed);
  stream::Command resident = plain_job();
  resident.weights_resident = 1;
  resident.send_output = 0;
  Rig conv("conv", test::array_of(3, 3, 8, 8), {resident});
  conv.weights.ready = {false, false, true};
  conv.output.ready = {false, false, false};
  stream::Command job = random_recurrent(random);
  job.send_output = 0;
  Rig recurrent("recurrent", test::array_of(3, 3, 8, 8), {job});
  recurrent.input.ready = {false, false, false};
  REQUIRE(bench.run_until([&] { return conv.sequencer.jobs_done() == 1 && recurrent.sequencer.jobs_done() == 1; }));
}

TEST_CASE("a recurrent step is issued only when the hidden state of the one before is complete") {
  test::Bench bench;
  base::Random random(kSeed);
  stream::Command job = random_recurrent(random);
  job.steps = 5;
  Rig rig("rig", test::array_of(3, 3, 8, 8), {job});
  std::vector<std::int64_t> done_at_fill;
  std::int64_t pushed = 0;
  bench.at_each_edge([&](sim::Edge) {
    if (rig.line.pushes() > pushed) done_at_fill.push_back(rig.cell.steps_done());
    pushed = rig.line.pushes();
  });
  REQUIRE(bench.run_until([&] { return rig.sequencer.jobs_done() == 1; }));
  const std::size_t per_step = rig.lines.count() / 5;
  REQUIRE(done_at_fill.size() == rig.lines.count());
  for (std::size_t k = 0; k < done_at_fill.size(); ++k)
    REQUIRE(done_at_fill[k] == static_cast<std::int64_t>(k / per_step));
}

TEST_CASE("a beat whose job was overtaken by another is an error") {
  stream::Command slot = plain_job();
  slot.serial = 3;
  const stream::JobRef job(&slot);
  CHECK(job->serial == 3);
  slot.serial = 19;
  CHECK_THROWS_WITH(job->serial, Catch::Contains("job 3") && Catch::Contains("job 19"));
}

}  // namespace fansim::sequencer_test
