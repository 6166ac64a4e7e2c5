// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/config/job.h"

#include <catch2/catch.hpp>

#include "accelerators/trainer/config/config.h"
#include "accelerators/trainer/config/phases.h"
#include "base/error.h"
#include "base/random.h"

namespace fansim::job_test {

using namespace trainer;

namespace {

const std::string kConfig = FANSIM_SOURCE_DIR "/configs/systems/float_trainer.yaml";

// Returns the network of docs/trainer.md.
Job digits() {
  Job job;
  job.layers = 5;
  job.table[0] = {LayerKind::convolution, true, 3, 2, 0, 0, 1, 28, 28, 4, 14, 14};
  job.table[1] = {LayerKind::pooling, false, 2, 2, 0, 0, 4, 14, 14, 4, 7, 7};
  job.table[2] = {LayerKind::fully_connected, false, 1, 1, 0, 0, 196, 1, 1, 10, 1, 1};
  job.table[3] = {LayerKind::fully_connected, false, 1, 1, 0, 0, 10, 1, 1, 10, 1, 1};
  job.table[4] = {LayerKind::softmax, false, 1, 1, 0, 0, 10, 1, 1, 10, 1, 1};
  return job;
}

std::int64_t multiplies(const Job& job, PhaseKind kind) {
  std::int64_t sum = 0;
  for (const Phase& phase : phases_of(job)) {
    if (phase.kind != kind) continue;
    const Products products{kind, job.layer(phase.layer)};
    sum += products.sums() * products.terms();
  }
  return sum;
}

}  // namespace

TEST_CASE("a job decoded from its registers is the job") {
  base::Random random(Catch::rngSeed());
  CAPTURE(Catch::rngSeed());
  for (int i = 0; i < 200; ++i) {
    JobRegisters registers;
    Job job;
    job.layers = 8;
    job.command = static_cast<Command>(random.uniform(0, 3));
    job.source = static_cast<std::uint32_t>(random.next());
    job.label = 7;
    for (LayerEntry& l : job.table)
      l = {static_cast<LayerKind>(random.uniform(0, 3)),
           random.chance(50),
           random.uniform(0, kMostKernel),
           random.uniform(0, kMostStride),
           random.uniform(0, 15),
           random.uniform(0, 15),
           random.uniform(0, kMostExtent),
           random.uniform(0, 65535),
           random.uniform(0, 65535),
           random.uniform(0, kMostExtent),
           random.uniform(0, 65535),
           random.uniform(0, 65535)};
    registers = encode(job);
    CHECK(encode(decode(registers)).words == registers.words);
    CHECK(decode(registers).table[3].in_width == job.table[3].in_width);
  }
}

TEST_CASE("an image takes the multiply-accumulates that the paper's network implies") {
  Job job = digits();
  job.command = Command::train;
  CHECK(multiplies(job, PhaseKind::forward) == 9116);
  CHECK(multiplies(job, PhaseKind::input_gradient) + multiplies(job, PhaseKind::weight_gradient) == 11176);
  CHECK(job.weights() == 2096);
}

TEST_CASE("phases are the paper's: forward and softmax and back in reverse order and update") {
  Job job = digits();
  job.command = Command::train;
  std::vector<PhaseKind> kinds;
  for (const Phase& phase : phases_of(job)) kinds.push_back(phase.kind);
  using K = PhaseKind;
  CHECK(kinds == std::vector<K>{K::load, K::forward, K::pool, K::forward, K::forward, K::softmax, K::input_gradient,
                                K::weight_gradient, K::input_gradient, K::weight_gradient, K::unpool,
                                K::weight_gradient, K::update, K::update, K::update, K::store});
  job.command = Command::infer;
  CHECK(phases_of(job).size() == 7);
}

TEST_CASE("a group of sums takes turns and fewer than the adder has stages leave it idle") {
  const Products products{PhaseKind::forward, digits().table[3]};  // ten sums of ten terms
  CHECK(product_slots(products, 16) == 100);
  CHECK(product_slots(products, 10) == 100);
  CHECK(product_slots(products, 4) == (4 + 4 + 3) * 10);
  CHECK(product_slots(products, 2) == 5 * 3 * 10);
  CHECK(product_slots(products, 1) == 10 * 3 * 10);
}

TEST_CASE("sums that do not hold their products are refused at their key") {
  CHECK(refusal(Config::read(kConfig, {})).empty());
  CHECK_THROWS_WITH(Config::read(kConfig, {"fc1.forward_mantissa=16"}),
                    Catch::Contains("sum (1,8,15) does not hold every product of forward (1,8,16)"));
  CHECK_THROWS_WITH(Config::read(kConfig, {"fc1.sum_exponent=6"}), Catch::Contains("does not hold every product"));
  CHECK_THROWS_WITH(Config::read(kConfig, {"convolution.forward_mantissa=0"}), Catch::Contains("allowed"));
  CHECK_THROWS_WITH(Config::read(kConfig, {"softmax.exponent=9"}), Catch::Contains("allowed"));
  CHECK_THROWS_WITH(Config::read(kConfig, {"dma.mode=scatter_gather"}), Catch::Contains("allowed: direct"));
}

}  // namespace fansim::job_test
