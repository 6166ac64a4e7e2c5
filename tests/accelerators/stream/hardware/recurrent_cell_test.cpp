// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/recurrent_cell.h"

#include <algorithm>

#include "accelerators/stream/hardware/activation.h"
#include "network/reference/recurrent.h"
#include "support/blocks.h"

namespace fansim::recurrent_cell_test {

using stream::Activation;
using stream::Gate;
using stream::Pixel;
using stream::RecurrentCell;

namespace {

constexpr std::uint64_t kSeed = 20;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Sequence {
  bool gru;
  int hidden;  // units, a multiple of the unit block
  int steps;
  bool fresh;  // else it goes on from the one before
};

// Pre-activations of whole sequences, and h after every step, unit by unit from arith.
struct Work {
  Work(const std::vector<Sequence>& sequences, int lanes, base::Random& random)
      : channels(lanes), jobs(sequences.size()) {
    std::vector<int> c, h;
    for (std::size_t s = 0; s < sequences.size(); ++s) {
      const Sequence& q = sequences[s];
      stream::Command& job = jobs[s];
      job.gru = q.gru;
      job.recurrent_output = 1;
      job.start_recurrent = 1;
      job.groups = 4 * q.hidden / channels;
      job.steps = q.steps;
      job.add_bias = q.fresh;
      if (q.fresh) {
        c.assign(at(q.hidden), 0);
        h.assign(at(q.hidden), 0);
      }
      for (int step = 0; step < q.steps; ++step) {
        for (int block = 0; block < q.hidden / channels; ++block) add_block(job, step, block, c, h, random);
        states.push_back(h);
      }
    }
  }

  void add_block(const stream::Command& job, int step, int block, std::vector<int>& c, std::vector<int>& h,
                 base::Random& random) {
    Gate set[4] = {};
    const bool wide = random.chance(20);
    for (int g = 0; g < 4; ++g) {
      set[g].tag.job = &job;
      set[g].tag.row = step;
      set[g].tag.group = 4 * block + g;
      for (std::int16_t& v : set[g].values) {
        const int limit = wide ? 32767 : 8000;
        v = static_cast<std::int16_t>(random.uniform(-limit - 1, limit));
      }
      gates.push_back(set[g]);
    }
    for (int o = 0; o < channels; ++o) {
      const int a = set[0].values[at(o)], b = set[1].values[at(o)], d = set[2].values[at(o)], e = set[3].values[at(o)];
      int& unit = h[at(block * channels + o)];
      if (job.gru) {
        unit = network::gru_unit({a, b, d, e}, unit);
      } else {
        const network::LstmState next = network::lstm_unit({a, b, d, e}, c[at(block * channels + o)]);
        c[at(block * channels + o)] = next.c;
        unit = next.h;
      }
    }
    pixels.push_back(std::vector<int>(h.begin() + block * channels, h.begin() + (block + 1) * channels));
    step_of.push_back(static_cast<int>(states.size()));
  }

  void require(const std::vector<Pixel>& out) const {
    REQUIRE(out.size() == pixels.size());
    for (std::size_t k = 0; k < out.size(); ++k) {
      REQUIRE(out[k].tag.group == gates[4 * k].tag.group / 4);
      REQUIRE(out[k].tag.row == gates[4 * k].tag.row);
      for (int o = 0; o < channels; ++o) REQUIRE(static_cast<std::int8_t>(out[k].bytes[at(o)]) == pixels[k][at(o)]);
    }
  }

  int channels;
  std::vector<stream::Command> jobs;
  std::vector<Gate> gates;
  std::vector<std::vector<int>> pixels;  // of each unit block and step
  std::vector<int> step_of;              // of each pixel, counted over all sequences
  std::vector<std::vector<int>> states;  // after each step
};

// Gates reach the cell as in the machine: a step's only when the state of the one before is complete.
class Feeder final : public sim::Module {
 public:
  sim::StreamOut<Gate> out{"out"};
  Feeder(const sc_core::sc_module_name& name, const Work& work, const RecurrentCell& cell, int stall_percent)
      : Module(name), work_(work), cell_(cell), stall_percent_(stall_percent), random_(kSeed, this->name()) {}

 private:
  void step() override {
    if (next_ == work_.gates.size() || !out.can_push() || random_.chance(stall_percent_)) return;
    if (cell_.steps_done() >= work_.step_of[next_ / 4]) out.push(work_.gates[next_++]);
  }
  const Work& work_;
  const RecurrentCell& cell_;
  int stall_percent_;
  base::Random random_;
  std::size_t next_ = 0;
};

// Connects feeder -> activation -> cell -> sink.
struct Chain {
  Chain(const std::string& name, const Work& work, test::Stalls stalls, const stream::ArrayConfig& config)
      : pre((name + "_pre").c_str()),
        gates((name + "_gates").c_str()),
        pixels((name + "_pixels").c_str()),
        activation((name + "_activation").c_str(), config),
        cell((name + "_cell").c_str(), config),
        feeder((name + "_feeder").c_str(), work, cell, stalls.in),
        sink((name + "_sink").c_str(), stalls.out),
        account(cell, gates, pixels) {
    feeder.out(pre);
    activation.in(pre);
    activation.out(gates);
    cell.gates(gates);
    cell.out(pixels);
    sink.in(pixels);
  }
  sim::Stream<Gate> pre, gates;
  sim::Stream<Pixel> pixels;
  Activation activation;
  RecurrentCell cell;
  Feeder feeder;
  test::Sink<Pixel> sink;
  test::Account account;
};

std::vector<Sequence> sequences(int block) {
  return {{false, 4 * block, 6, true}, {false, 4 * block, 3, false}, {true, 2 * block, 5, true},
          {true, 2 * block, 4, false}, {false, block, 12, true},     {true, 5 * block, 3, true}};
}

// For timing, a source feeds the cells with activated gates.
using Lanes = test::Lanes<RecurrentCell, Gate, Pixel>;

}  // namespace

TEST_CASE("activation and cell compute LSTM and GRU sequences as arith does unit by unit under random stalls") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<Work>> work;
  std::vector<std::unique_ptr<Chain>> chains;
  for (int channels : {2, 8, 16})
    for (const test::Stalls& stalls : test::kStallGrid) {
      work.push_back(std::make_unique<Work>(sequences(channels), channels, random));
      chains.push_back(std::make_unique<Chain>(fmt::format("chain{}", chains.size()), *work.back(), stalls,
                                               test::array_of(3, 3, 2, channels)));
    }
  // After each step the hidden state is readable; before the first, and under the other target, it is zero.
  std::vector<std::int64_t> seen(chains.size(), 0);
  std::vector<int> wrong(chains.size(), 0);
  bench.at_each_edge([&](sim::Edge) {
    for (std::size_t i = 0; i < chains.size(); ++i) {
      RecurrentCell& cell = chains[i]->cell;
      chains[i]->account.observe();
      const std::int64_t done = cell.steps_done();
      if (done == seen[i]) continue;
      seen[i] = done;
      const std::vector<int>& state = work[i]->states[static_cast<std::size_t>(done - 1)];
      for (int u = 0; u < static_cast<int>(state.size()); ++u) {
        wrong[i] += static_cast<std::int8_t>(*cell.read(0, u, 1)) != state[at(u)];
        wrong[i] += *cell.read(RecurrentCell::kZeroState, u, 1) != 0;
      }
    }
  });
  REQUIRE(bench.run_until([&] {
    for (std::size_t i = 0; i < chains.size(); ++i)
      if (chains[i]->sink.count() < work[i]->pixels.size() || seen[i] < static_cast<int>(work[i]->states.size()))
        return false;
    return true;
  }));
  for (std::size_t i = 0; i < chains.size(); ++i) {
    INFO("chain " << i);
    work[i]->require(chains[i]->sink.items());
    REQUIRE(wrong[i] == 0);
    REQUIRE(seen[i] == static_cast<std::int64_t>(work[i]->states.size()));
    REQUIRE(test::count(chains[i]->cell, "units") ==
            static_cast<std::int64_t>(work[i]->pixels.size()) * work[i]->channels);
    REQUIRE(chains[i]->account.contradictions == 0);
    REQUIRE(chains[i]->account.beats == static_cast<std::int64_t>(work[i]->gates.size()));
  }
}

TEST_CASE("a unit group's hidden state leaves ten cycles after its last unit when one unit is issued per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &RecurrentCell::gates, &RecurrentCell::out);
  std::vector<std::unique_ptr<Work>> work;
  for (int channels : {2, 8, 16}) {
    work.push_back(std::make_unique<Work>(std::vector<Sequence>{{false, channels, 3, true}}, channels, random));
    auto& lane = lanes.add({}, 3, {0, 0}, test::array_of(3, 3, 2, channels));
    for (std::size_t k = 0; k < 12; ++k)
      lane.source.add(work.back()->gates[k], static_cast<sim::Edge>(1 + 100 * (k / 4)));
  }
  lanes.run();
  const int channels[] = {2, 8, 16};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      // The first unit is issued at the edge after the fourth gate is taken.
      CHECK(lanes[i].latency(4 * k + 3, k) == channels[i] + stream::ArrayConfig().cell_latency());
  stream::ArrayConfig scaled;
  scaled.hidden_requantise = true;
  CHECK((stream::ArrayConfig().cell_latency() == 10 && scaled.cell_latency() == 13));
}

TEST_CASE("the cell updates one unit per cycle while it collects the next group's gates") {
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &RecurrentCell::gates, &RecurrentCell::out);
  std::vector<std::unique_ptr<Work>> work;
  for (int channels : {8, 16}) {
    work.push_back(std::make_unique<Work>(std::vector<Sequence>{{false, 40 * channels, 1, true}}, channels, random));
    lanes.add(work.back()->gates, 40, {0, 0}, test::array_of(3, 3, 8, channels));
  }
  lanes.run();
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 1; k < 40; ++k)
      REQUIRE(lanes[i].sink.edges()[k] - lanes[i].sink.edges()[k - 1] == work[i]->channels);
}

TEST_CASE("the cell takes no gate while both its gate sets are full and none while a finished pixel cannot leave") {
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &RecurrentCell::gates, &RecurrentCell::out);
  const Work work({{false, 32 * 8, 1, true}}, 8, random);
  auto& lane = lanes.add(work.gates, 32, {0, 0}, test::array_of(3, 3, 8, 8));
  lane.sink.not_before = 400;
  std::int64_t taken = 0;
  bench.at_each_edge([&](sim::Edge now) {
    if (now == 300) taken = lane.in.pops();
  });
  REQUIRE(bench.run_until([&] { return lane.sink.count() == 32; }));
  // Two pixels in the stream, one waiting, up to ten units behind it, and the two sets.
  CHECK(taken >= 4 * 4);
  CHECK(taken <= 4 * 6);
  CHECK(test::count(lane.block, "stalls") > 300);
}

TEST_CASE("the hidden state reads as zero before the first step and beyond the last unit") {
  test::Bench bench;
  Lanes lanes(bench, &RecurrentCell::gates, &RecurrentCell::out);
  base::Random random(kSeed);
  const Work work({{false, 8, 1, true}}, 8, random);
  auto& lane = lanes.add(work.gates, 1, {0, 0}, test::array_of(3, 3, 8, 8));
  lane.source.not_before = {20};
  int nonzero = 0;
  bench.at_each_edge([&](sim::Edge now) {
    RecurrentCell& cell = lane.block;
    REQUIRE(cell.readable(0));
    for (int i = now < 20 ? 0 : 8; i < 300; ++i) nonzero += *cell.read(0, i, 1) + *cell.read(1, i, 1);
  });
  bench.run(60);
  CHECK(lane.sink.count() == 1);
  CHECK(nonzero == 0);
}

}  // namespace fansim::recurrent_cell_test
