// SPDX-License-Identifier: Apache-2.0
// These tests run random machines on random layers. Every process elaborates one machine and runs several layers on it.
#include <catch2/catch.hpp>

#include "platform/machine.h"
#include "random/random_case.h"

namespace fansim::random_test {

namespace {

// Checks seeds whose layers all fit the machine.
template <class Config>
void check(test::Case (*random_case)(std::uint64_t), std::uint64_t seed) {
  const test::Case c = random_case(seed);
  INFO("seed " << seed << "\n" << c.network() << c.replay("NETWORK"));
  const Config config = Config::read(std::string(FANSIM_SOURCE_DIR "/") + c.base, c.settings);
  const network::Network network = test::network_of(c.body(), seed);
  const auto run = test::run_machine(network, config);
  CHECK(run.layers.size() >= c.layers.size());
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}

void check_stream(std::uint64_t seed) { check<stream::Config>(test::random_stream_case, seed); }
void check_tiled(std::uint64_t seed) { check<tiled::Config>(test::random_tiled_case, seed); }

}  // namespace

TEST_CASE("random streaming machine 1 computes random layers bit-exactly") { check_stream(1); }
TEST_CASE("random streaming machine 2 computes random layers bit-exactly") { check_stream(2); }
TEST_CASE("random streaming machine 3 computes random layers bit-exactly") { check_stream(3); }
TEST_CASE("random streaming machine 4 computes random layers bit-exactly") { check_stream(4); }
TEST_CASE("random streaming machine 5 computes random layers bit-exactly") { check_stream(5); }
TEST_CASE("random streaming machine 18 computes random layers bit-exactly") { check_stream(18); }
TEST_CASE("random streaming machine 19 computes random layers bit-exactly") { check_stream(19); }
TEST_CASE("random streaming machine 8 computes random layers bit-exactly") { check_stream(8); }
TEST_CASE("random streaming machine 9 computes random layers bit-exactly") { check_stream(9); }
TEST_CASE("random streaming machine 10 computes random layers bit-exactly") { check_stream(10); }
TEST_CASE("random streaming machine 11 computes random layers bit-exactly") { check_stream(11); }
TEST_CASE("random streaming machine 12 computes random layers bit-exactly") { check_stream(12); }

TEST_CASE("random tiled machine 1 computes random layers bit-exactly") { check_tiled(1); }
TEST_CASE("random tiled machine 2 computes random layers bit-exactly") { check_tiled(2); }
TEST_CASE("random tiled machine 4 computes random layers bit-exactly") { check_tiled(4); }
TEST_CASE("random tiled machine 5 computes random layers bit-exactly") { check_tiled(5); }
TEST_CASE("random tiled machine 6 computes random layers bit-exactly") { check_tiled(6); }
TEST_CASE("random tiled machine 7 computes random layers bit-exactly") { check_tiled(7); }
TEST_CASE("random tiled machine 9 computes random layers bit-exactly") { check_tiled(9); }
TEST_CASE("random tiled machine 10 computes random layers bit-exactly") { check_tiled(10); }
TEST_CASE("random tiled machine 11 computes random layers bit-exactly") { check_tiled(11); }
TEST_CASE("random tiled machine 12 computes random layers bit-exactly") { check_tiled(12); }
TEST_CASE("random tiled machine 13 computes random layers bit-exactly") { check_tiled(13); }
TEST_CASE("random tiled machine 21 computes random layers bit-exactly") { check_tiled(21); }
TEST_CASE("random tiled machine 23 computes random layers bit-exactly") { check_tiled(23); }
TEST_CASE("random tiled machine 17 computes random layers bit-exactly") { check_tiled(17); }
TEST_CASE("random tiled machine 18 computes random layers bit-exactly") { check_tiled(18); }
TEST_CASE("random tiled machine 20 computes random layers bit-exactly") { check_tiled(20); }
TEST_CASE("random tiled machine 22 computes random layers bit-exactly") { check_tiled(22); }
TEST_CASE("random tiled machine 44 computes random layers bit-exactly") { check_tiled(44); }
TEST_CASE("random tiled machine 50 computes random layers bit-exactly") { check_tiled(50); }
TEST_CASE("random tiled machine 33 computes random layers bit-exactly") { check_tiled(33); }

}  // namespace fansim::random_test
