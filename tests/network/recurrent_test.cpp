// SPDX-License-Identifier: Apache-2.0
#include "network/reference/recurrent.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.h"

namespace fansim::recurrent_test {

using namespace network;

namespace {

double sigma(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

TEST_CASE("one LSTM unit computed by hand") {
  // sigma(0) = 1/2 and tanh(0) = 0: the cell halves. tanh(c = 1024 / 4096): 2x = 2048 -> sigma(1/2) = 20397 -> 8026.
  const LstmState still = lstm_unit({0, 0, 0, 0}, 2048);
  CHECK(still.c == 1024);
  CHECK(still.h == 16);  // (16384 * 8026 + 2^22) >> 23 = 16.17
  // Gates wide open, g = 32766: c = (32767 * 4096 + ((32767 * 32766) >> 3) + 2^14) >> 15 = 8192.
  const LstmState open = lstm_unit({32767, 32767, 32767, 32767}, 4096);
  CHECK(open.c == 8192);
  CHECK(lstm_unit({32767, 32767, 32767, 32767}, 32767).c == 32767);
  CHECK(lstm_unit({32767, 32767, 32767, 32767}, 32767).h == 127);
  // o = 1 - 2^-15 and tanh 4 = 0.99933: h = 127.9 in its 128ths, times 3/8 = 47.96; times 1/4 = 31.98.
  CHECK(lstm_unit({32767, 32767, 32767, 32767}, 32767, 3, 3).h == 48);
  CHECK(lstm_unit({32767, 32767, 32767, 32767}, 32767, 1, 2).h == 32);
  CHECK(lstm_unit({32767, 32767, 32767, 32767}, 32767, 32767, 0).h == 127);
  CHECK(lstm_unit({32767, 32767, 32767, 32767}, 32767, 32767, 31).h == 0);
  CHECK(lstm_unit({32767, 32767, -32768, 32767}, -32768).h == -128);
}

TEST_CASE("one GRU unit computed by hand") {
  CHECK(gru_unit({0, 0, 0, 0}, 100) == 50);          // half of h, n = 0
  CHECK(gru_unit({0, 32767, 0, 0}, -77) == -77);     // z open keeps h
  CHECK(gru_unit({0, -32768, 32767, 0}, 5) == 127);  // z shut takes n = 32766
  CHECK(gru_unit({32767, -32768, 0, -32768}, 5) == -128);
  CHECK(gru_unit({-32768, -32768, 0, 32767}, 5) == 0);  // r shut hides nh
}

TEST_CASE("recurrent units follow the real functions closely") {
  fansim::base::Random random(1);
  for (int n = 0; n < 20000; ++n) {
    const auto pre = [&random] { return random.uniform(-16384, 16384); };
    const LstmGates lstm{pre(), pre(), pre(), pre()};
    const int c = pre();
    const double next_c = sigma(lstm.f / 4096.0) * c / 4096 + sigma(lstm.i / 4096.0) * std::tanh(lstm.g / 4096.0);
    const LstmState state = lstm_unit(lstm, c);
    REQUIRE(std::abs(state.c / 4096.0 - next_c) < 0.03);
    REQUIRE(std::abs(state.h / 128.0 - sigma(lstm.o / 4096.0) * std::tanh(next_c)) < 0.03);

    const GruGates gru{pre(), pre(), pre(), pre()};
    const int h = random.uniform(-128, 127);
    const double z = sigma(gru.z / 4096.0);
    const double candidate = std::tanh((gru.nx + sigma(gru.r / 4096.0) * gru.nh) / 4096);
    REQUIRE(std::abs(gru_unit(gru, h) / 128.0 - ((1 - z) * candidate + z * h / 128)) < 0.03);
  }
}

}  // namespace fansim::recurrent_test
