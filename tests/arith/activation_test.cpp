// SPDX-License-Identifier: Apache-2.0
#include "arith/activation.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/hash.h"

namespace fansim::activation_test {

using namespace arith;

namespace {

double sigma(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

TEST_CASE("the sigmoid table holds Q0.15 at steps of 1/256 and is flat beyond 6") {
  const SigmoidTable& table = sigmoid_table();
  CHECK(table[2048] == 16384);
  CHECK(table[2048 - 1537] == 0);
  CHECK(table[2048 - 1536] == 81);     // sigma(-6) = 0.0024726
  CHECK(table[2048 + 1536] == 32687);  // sigma(6) = 0.9975274
  CHECK(table[2048 + 1537] == 32767);
  CHECK(table[2048 + 256] == 23955);  // sigma(1) = 0.7310586
  CHECK(fansim::base::Fnv1a().add(table.data(), sizeof table).text() == "2b73bd047cb6bb94");
}

TEST_CASE("sigmoid and tanh stay within one table step of the functions for every pre-activation") {
  for (int pre = -32768; pre <= 32767; ++pre) {
    const double x = pre / 4096.0;
    REQUIRE(std::abs(sigmoid_q15(pre) / 32768.0 - sigma(x)) < 0.0026);
    REQUIRE(std::abs(tanh_q15(pre) / 32768.0 - std::tanh(x)) < 0.0055);
  }
  CHECK(tanh_q15(0) == 0);
  CHECK(tanh_q15(32767) == 32766);
  CHECK(tanh_q15(-32768) == -32768);
}

}  // namespace fansim::activation_test
