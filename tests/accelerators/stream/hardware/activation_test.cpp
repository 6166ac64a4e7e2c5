// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/activation.h"

#include "arith/activation.h"
#include "support/blocks.h"

namespace fansim::activation_test {

using stream::Activation;
using stream::Gate;
using Lanes = test::Lanes<Activation, Gate, Gate>;

namespace {

constexpr std::uint64_t kSeed = 14;

std::vector<Gate> random_gates(const stream::Command& job, int n, base::Random& random) {
  std::vector<Gate> gates(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    Gate& gate = gates[static_cast<std::size_t>(k)];
    gate.tag.job = &job;
    gate.tag.group = k;  // gate k % 4 of unit block k / 4
    for (std::int16_t& v : gate.values) {
      v = static_cast<std::int16_t>(random.uniform(-32768, 32767));
      if (random.chance(5)) v = random.chance(50) ? INT16_MAX : INT16_MIN;
    }
  }
  return gates;
}

// Gates are i, f, g, o or r, z and the two halves of the candidate, whose tanh comes after their sum.
int reference(const stream::Command& job, int group, int pre) {
  switch (group % 4) {
    case 0:
    case 1:
      return arith::sigmoid_q15(pre);
    case 2:
      return job.gru ? pre : arith::tanh_q15(pre);
    default:
      return job.gru ? pre : arith::sigmoid_q15(pre);
  }
}

void require_activated(const std::vector<Gate>& in, const std::vector<Gate>& out, int channels) {
  for (std::size_t k = 0; k < in.size(); ++k) {
    REQUIRE(out[k].tag.group == in[k].tag.group);
    for (std::size_t o = 0; o < static_cast<std::size_t>(channels); ++o)
      REQUIRE(out[k].values[o] == reference(*in[k].tag.job, in[k].tag.group, in[k].values[o]));
  }
}

struct Jobs {
  Jobs() { gru.gru = 1; }
  stream::Command lstm, gru;
};

}  // namespace

TEST_CASE("the activation applies sigmoid and tanh to LSTM gates and sigmoid to r and z of a GRU alone") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Activation::in, &Activation::out);
  const Jobs jobs;
  std::vector<std::vector<Gate>> items;
  for (const stream::ArrayConfig& config : test::array_shapes())
    for (const stream::Command* job : {&jobs.lstm, &jobs.gru}) {
      items.push_back(random_gates(*job, 400, random));
      lanes.add(items.back(), 400, {0, 0}, config);
    }
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i)
    require_activated(items[i], lanes[i].sink.items(), test::array_shapes()[i / 2].output_channels);
}

TEST_CASE("the activation takes three cycles and one gate per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Activation::in, &Activation::out);
  const Jobs jobs;
  auto& lane = lanes.add(random_gates(jobs.lstm, 160, random), 160, {0, 0}, test::array_of(3, 3, 8, 8));
  lanes.run();
  for (std::size_t k = 0; k < 160; ++k) REQUIRE(lane.latency(k, k) == Activation::kLatency);
  CHECK(Activation::kLatency == 3);
  CHECK(test::back_to_back(lane.sink.edges()));
}

TEST_CASE("random stalls change no activated gate and every cycle is accounted for") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Activation::in, &Activation::out);
  const Jobs jobs;
  const std::vector<Gate> items = random_gates(jobs.lstm, 400, random);
  for (const test::Stalls& stalls : test::kStallGrid) lanes.add(items, 400, stalls, test::array_of(3, 3, 8, 8));
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) require_activated(items, lanes[i].sink.items(), 8);
  lanes.require_sums("gates");
}

}  // namespace fansim::activation_test
