// SPDX-License-Identifier: Apache-2.0
// These tests cover the units that work from memory to memory: their edges, their values compared with the single
// operations, and what their memories allow.
#include <catch2/catch.hpp>

#include "accelerators/trainer/config/phases.h"
#include "accelerators/trainer/hardware/pooling_unit.h"
#include "accelerators/trainer/hardware/product_unit.h"
#include "accelerators/trainer/hardware/softmax_unit.h"
#include "accelerators/trainer/hardware/update_unit.h"
#include "support/stream_bench.h"

namespace fansim::units_test {

using namespace trainer;

namespace {

constexpr std::uint64_t kSeed = 5;
constexpr sim::Edge kFirst = 3;  // the start is pushed

// Returns a convolution of two channels with ReLU, its pooling, a fully connected layer and softmax.
Job small() {
  Job job;
  job.layers = 4;
  job.command = Command::train;
  job.label = 2;
  arith::FloatEvents none;
  job.learning_rate = static_cast<std::uint32_t>(arith::FloatArithmetic(arith::kSingle).from_double(0.125, none));
  job.table[0] = {LayerKind::convolution, true, 3, 1, 1, 1, 2, 6, 6, 3, 6, 6};
  job.table[1] = {LayerKind::pooling, false, 2, 2, 0, 0, 3, 6, 6, 3, 3, 3};
  job.table[2] = {LayerKind::fully_connected, false, 1, 1, 0, 0, 27, 1, 1, 5, 1, 1};
  job.table[3] = {LayerKind::softmax, false, 1, 1, 0, 0, 5, 1, 1, 5, 1, 1};
  return job;
}

Config config(int accumulators = 16) {
  Config c;
  c.convolution.accumulators = c.fc1.accumulators = accumulators;
  return c;
}

// Chips are read and written before and after the run, at edges of their own.
class Rig {
 public:
  explicit Rig(const Config& c) : config(c), chip("top", c.memories), job(small()), layout(job) {
    base::Random random(kSeed, "values");
    fill(chip.activations, layout.activations, random);
    fill(chip.gradients, layout.activations, random);
    fill(chip.weights, layout.all_weights, random);
    fill(chip.deltas, layout.all_weights, random);
  }

  template <class Unit>
  sim::Edge run(PhaseKind kind, UnitIndex index, std::size_t layer) {
    test::Bench bench;
    sim::Stream<PhaseStart> start("start");
    test::Source<PhaseStart> source("source");
    Unit unit("unit", config, chip);
    source.out(start);
    unit.start(start);
    source.add({&job, &layout, {kind, index, kHost, layer}}, kFirst);
    sim::Edge ended = -1;
    const auto has_ended = [&] {
      if (unit.ended().get() != 1) return false;
      ended = bench.now();
      return true;
    };
    REQUIRE(bench.run_until(has_ended, 100'000));
    events = unit.events();
    return ended - (kFirst + 1) - 1;  // from the pop to the last edge
  }

  std::uint32_t word(WordMemory& memory, std::int64_t at) { return memory.read(--edge_, at); }

  const Config config;
  Chip chip;
  const Job job;
  const Layout layout;
  arith::FloatEvents events;

 private:
  // Fills the memory with numbers of about one, which every format has.
  void fill(WordMemory& memory, std::int64_t words, base::Random& random) {
    const arith::FloatArithmetic brain(arith::kBrain16);
    arith::FloatEvents none;
    for (std::int64_t i = 0; i < words; ++i) {
      const std::uint64_t word = random.chance(15) ? 0 : brain.from_double(random.uniform(-200, 200) / 64.0, none);
      memory.write(--edge_, i, static_cast<std::uint32_t>(word));
    }
  }
  sim::Edge edge_ = -1;
};

// All formats are the same, so that any word is a number of every tensor.
Config brain(int accumulators = 16) {
  Config c = config(accumulators);
  for (WeightedConfig* block : {&c.convolution, &c.fc1, &c.fc2})
    block->forward = block->backward = block->weights = block->sum = arith::kBrain16;
  return c;
}

void check_products(PhaseKind kind, int accumulators) {
  Rig rig(brain(accumulators));
  const Products products{kind, rig.job.layer(0)};
  const arith::FloatArithmetic unit(arith::kBrain16);
  arith::FloatEvents events;
  std::vector<std::uint64_t> expected(static_cast<std::size_t>(products.sums()));
  const bool forward = kind == PhaseKind::forward;
  for (std::int64_t sum = 0; sum < products.sums(); ++sum) {
    std::uint64_t all = 0;
    for (std::int64_t term = 0; term < products.terms(); ++term) {
      const Products::Factors f = products.factors(sum, term);
      const std::uint64_t a = f.a < 0 ? 0 : rig.word(rig.chip.activations, rig.layout.tensor[0] + f.a);
      const std::uint64_t b =
          forward ? rig.word(rig.chip.weights, f.b) : rig.word(rig.chip.gradients, rig.layout.tensor[1] + f.b);
      all = unit.add(all, unit.multiply(a, b, events), events);
    }
    if (forward && (all & arith::kBrain16.sign_mask()) != 0) all = 0;
    expected[static_cast<std::size_t>(products.result(sum))] = all;
  }
  const UnitIndex index = forward ? UnitIndex::convolution_forward : UnitIndex::convolution_backward;
  CHECK(rig.run<ProductUnit>(kind, index, 0) == product_slots(products, accumulators) + 9);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    CHECK((forward ? rig.word(rig.chip.activations, rig.layout.tensor[1] + at) : rig.word(rig.chip.deltas, at)) ==
          expected[i]);
  }
  CHECK((rig.events.saturations == events.saturations && rig.events.underflows == events.underflows));
}

}  // namespace

TEST_CASE("a convolution's sums are those of its products one by one") { check_products(PhaseKind::forward, 16); }
TEST_CASE("a single sum at a time waits for its adder") { check_products(PhaseKind::forward, 1); }
TEST_CASE("a weight's gradient is summed position by position") { check_products(PhaseKind::weight_gradient, 7); }

TEST_CASE("a pooling keeps the first largest of each window") {
  Rig rig(brain());
  CHECK(rig.run<PoolingUnit>(PhaseKind::pool, UnitIndex::pooling, 1) == 3 * 9 * 4 + 4);
  const arith::FloatArithmetic unit(arith::kBrain16);
  for (std::int64_t out = 0; out < 27; ++out) {
    const std::int64_t channel = out / 9, row = out % 9 / 3, column = out % 3;
    double best = 0;
    std::int64_t choice = 0;
    for (std::int64_t tap = 0; tap < 4; ++tap) {
      const double value = unit.to_double(rig.word(
          rig.chip.activations, rig.layout.tensor[1] + (channel * 6 + 2 * row + tap / 2) * 6 + 2 * column + tap % 2));
      if (tap == 0 || value > best) {
        best = value;
        choice = tap;
      }
    }
    CHECK(unit.to_double(rig.word(rig.chip.activations, rig.layout.tensor[2] + out)) == best);
    CHECK(rig.word(rig.chip.choices, rig.layout.tensor[2] + out) == choice);
  }
}

TEST_CASE("weights go down their gradients") {
  Rig rig(brain());
  const arith::FloatArithmetic unit(arith::kBrain16);
  arith::FloatEvents none;
  const std::uint64_t rate = unit.from_double(0.125, none);
  std::vector<std::uint64_t> expected;
  for (std::int64_t i = 0; i < 54; ++i)
    expected.push_back(
        unit.subtract(rig.word(rig.chip.weights, i), unit.multiply(rate, rig.word(rig.chip.deltas, i), none), none));
  CHECK(rig.run<UpdateUnit>(PhaseKind::update, UnitIndex::convolution_update, 0) == 54 + 8);
  for (std::int64_t i = 0; i < 54; ++i) CHECK(rig.word(rig.chip.weights, i) == expected[static_cast<std::size_t>(i)]);
}

TEST_CASE("softmax sums to about one and its gradient less one at the label to about zero") {
  Rig rig(brain());
  const int divider = rig.config.softmax.divider_latency(rig.config.arithmetic.rounding);
  CHECK(rig.run<SoftmaxUnit>(PhaseKind::softmax, UnitIndex::softmax, 3) ==
        (5 + 4) + (5 + 8) + 15 + (5 + divider + 1) + (5 + 4));
  const arith::FloatArithmetic unit(arith::kBrain16);
  double sum = 0, gradient = 0;
  for (std::int64_t i = 0; i < 5; ++i) {
    const double p = unit.to_double(rig.word(rig.chip.activations, rig.layout.tensor[4] + i));
    const double g = unit.to_double(rig.word(rig.chip.gradients, rig.layout.tensor[3] + i));
    CHECK((p >= 0 && p <= 1));
    if (i != rig.job.label) CHECK(g == p);
    sum += p;
    gradient += g;
  }
  CHECK(sum == Approx(1).margin(0.05));
  CHECK(gradient == Approx(0).margin(0.05));
}

TEST_CASE("a memory has one port to read and one to write") {
  WordMemory memory("top", "the memory", 4);
  memory.write(1, 0, 7);
  CHECK(memory.read(1, 0) == 7);
  CHECK_THROWS_WITH(memory.read(1, 1), "top: the memory is read twice at one edge, cycle 1");
  CHECK_THROWS_WITH(memory.write(1, 1, 0), Catch::Contains("written twice"));
  CHECK_NOTHROW(memory.read(2, 1));
  CHECK_THROWS(memory.read(3, 4));
}

}  // namespace fansim::units_test
