// SPDX-License-Identifier: Apache-2.0
#include "memory/ping_pong.h"

#include <algorithm>

#include "sim/violation.h"
#include "support/blocks.h"

namespace fansim::ping_pong_test {

using memory::PingPong;
using Role = PingPong::Role;

namespace {

constexpr std::uint64_t kSeed = 40;
constexpr int kHalf = 1024, kResident = 512;
constexpr contract::BufferPorts kPorts{1 << 16, 1 << 16};  // more than any case moves
constexpr int kBehind = 4096;                              // bytes of zeros that may be read behind a target

std::vector<std::uint8_t> random_bytes(int n, base::Random& random) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
  return bytes;
}

// Does one action per edge, from edge 1 on.
void at_edges(test::Bench& bench, const std::vector<std::function<void()>>& actions) {
  bench.at_each_edge([&](sim::Edge now) {
    const auto i = static_cast<std::size_t>(now - 1);
    if (i < actions.size()) actions[i]();
  });
  bench.run(static_cast<sim::Edge>(actions.size()) + 1);
}

}  // namespace

TEST_CASE("what a receiver writes into a half or the resident store is what the core reads when it is done") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  PingPong buffer("buffer", Role::receive, kPorts, kHalf, kResident);
  std::vector<std::vector<std::uint8_t>> held(3);
  int rounds = 0, wrong = 0, reads = 0, writes = 0;
  bench.at_each_edge([&](sim::Edge now) {
    const int target = static_cast<int>(now / 3) % 3;
    std::vector<std::uint8_t>& bytes = held[static_cast<std::size_t>(target)];
    switch (now % 3) {
      case 0:
        bytes = random_bytes(buffer.capacity(target), random);
        buffer.begin(target);
        break;
      case 1: {
        if (bytes.empty()) break;
        const int cut = random.uniform(1, buffer.capacity(target) - 1);
        buffer.write(target, 0, bytes.data(), cut);
        buffer.write(target, cut, bytes.data() + cut, buffer.capacity(target) - cut);
        writes += 2;
        buffer.done(target);
        break;
      }
      default:
        // The targets not being filled keep what they hold.
        for (int t = 0; t < 3; ++t) {
          const auto& expected = held[static_cast<std::size_t>(t)];
          const int n = static_cast<int>(expected.size());
          if (n > 0) {
            ++reads;
            wrong += !std::equal(expected.begin(), expected.end(), buffer.read(t, 0, n));
          }
        }
        ++rounds;
    }
  });
  bench.run(3 * 200);
  CHECK(rounds == 200);
  CHECK(wrong == 0);
  CHECK(test::count(buffer, "writes") == writes);
  CHECK(test::count(buffer, "reads") == reads);
  CHECK(reads > 500);
}

TEST_CASE("a half changes hands one edge after it is claimed or released and each by itself") {
  test::Bench bench;
  PingPong in("in", Role::receive, kPorts, kHalf, kResident);
  PingPong out("out", Role::send, kPorts, kHalf);
  // Holds {readable, writable} for in 0, in 1, in resident, out 0, out 1.
  using State = std::array<bool, 10>;
  std::vector<State> states;
  const auto sample = [&] {
    State s{};
    for (std::size_t t = 0; t < 3; ++t) {
      s[2 * t] = in.readable(static_cast<int>(t));
      s[2 * t + 1] = in.writable(static_cast<int>(t));
    }
    for (std::size_t t = 0; t < 2; ++t) {
      s[6 + 2 * t] = out.readable(static_cast<int>(t));
      s[7 + 2 * t] = out.writable(static_cast<int>(t));
    }
    states.push_back(s);
  };
  at_edges(bench, {[&] { sample(); },
                   [&] {
                     in.begin(1);
                     in.begin(2);
                     out.complete(0);
                     sample();
                   },
                   [&] { sample(); },
                   [&] {
                     in.done(1);
                     out.fetched(0);
                     sample();
                   },
                   [&] { sample(); }});
  const State idle{1, 0, 1, 0, 1, 0, 0, 1, 0, 1}, claimed{1, 0, 0, 1, 0, 1, 1, 0, 0, 1},
      released{1, 0, 1, 0, 0, 1, 0, 1, 0, 1};
  CHECK(states[0] == idle);
  CHECK(states[1] == idle);  // the edge of the claim itself
  CHECK(states[2] == claimed);
  CHECK(states[3] == claimed);
  CHECK(states[4] == released);
}

TEST_CASE("zeros can be read behind a target where a matrix's padded columns lie") {
  test::Bench bench;
  PingPong buffer("buffer", Role::receive, kPorts, kHalf);
  at_edges(bench, {[&] {
             const std::uint8_t* behind = buffer.read(0, kHalf, kBehind);
             CHECK(std::all_of(behind, behind + kBehind, [](std::uint8_t byte) { return byte == 0; }));
           }});
}

TEST_CASE("more at an edge than the ports move is a violation") {
  test::Bench bench;
  const std::uint8_t bytes[16] = {};
  PingPong buffer("buffer", Role::receive, {16, 64, 2}, kHalf);
  const auto all_ports = [&] {
    buffer.write(0, 0, bytes, 16);
    buffer.read(1, 0, 64);
    buffer.read(1, 512, 64);
  };
  at_edges(bench, {[&] { buffer.begin(0); },
                   [&] {
                     all_ports();
                     CHECK_THROWS_WITH(buffer.write(0, 16, bytes, 1),
                                       Catch::Contains("buffer: more written at an edge than the port moves"));
                   },
                   [&] {
                     all_ports();
                     CHECK_THROWS_WITH(buffer.read(1, 0, 8),
                                       Catch::Contains("buffer: more read at an edge than the ports move"));
                   },
                   all_ports});
}

TEST_CASE("a read of a half that is being filled is a violation") {
  test::Bench bench;
  PingPong buffer("buffer", Role::receive, kPorts, kHalf);
  at_edges(bench, {[&] {
                     buffer.begin(1);
                     buffer.read(1, 0, 8);
                   },  // visible from the next edge on
                   [&] {
                     buffer.read(0, 0, 8);
                     CHECK_THROWS_WITH(buffer.read(1, 0, 8),
                                       Catch::Contains("buffer: target 1 read while it is being filled, cycle 2"));
                   }});
}

TEST_CASE("a write into a half that the core may be reading is a violation") {
  test::Bench bench;
  const std::uint8_t bytes[8] = {};
  PingPong buffer("buffer", Role::receive, kPorts, kHalf);
  at_edges(bench, {[&] {
             CHECK_THROWS_WITH(buffer.write(0, 0, bytes, 8),
                               Catch::Contains("buffer: target 0 written while it is in use"));
           }});
}

TEST_CASE("a sending half is not read before it is complete nor written before it has been fetched") {
  test::Bench bench;
  const std::uint8_t bytes[8] = {};
  PingPong buffer("buffer", Role::send, kPorts, kHalf);
  at_edges(bench, {[&] {
                     buffer.write(0, 0, bytes, 8);
                     CHECK_THROWS_AS(buffer.read(0, 0, 8), sim::Violation);
                     buffer.complete(0);
                   },
                   [&] {
                     buffer.read(0, 0, 8);
                     CHECK_THROWS_AS(buffer.write(0, 0, bytes, 8), sim::Violation);
                     buffer.write(1, 0, bytes, 8);
                     buffer.fetched(0);
                   },
                   [&] { buffer.write(0, 0, bytes, 8); }});
}

TEST_CASE("an access beyond either end of a target is a violation and so is any to a store that does not exist") {
  test::Bench bench;
  const std::uint8_t bytes[8] = {};
  PingPong buffer("buffer", Role::receive, kPorts, kHalf, kResident);
  PingPong bare("bare", Role::receive, kPorts, kHalf);
  at_edges(bench, {[&] {
                     buffer.begin(0);
                     CHECK_THROWS_WITH(buffer.read(1, -1, 8), Catch::Contains("read of 8 bytes at -1 of 1024"));
                     CHECK_THROWS_AS(buffer.read(1, kHalf + kBehind - 7, 8), sim::Violation);
                     CHECK_THROWS_AS(bare.read(2, 0, 8), sim::Violation);
                     CHECK_NOTHROW(buffer.read(2, kResident - 8, 8));
                   },
                   [&] {
                     CHECK_NOTHROW(buffer.write(0, kHalf - 8, bytes, 8));
                     CHECK_THROWS_WITH(buffer.write(0, kHalf - 7, bytes, 8),
                                       Catch::Contains("write of 8 bytes at 1017 of 1024"));
                     CHECK_THROWS_AS(buffer.write(0, -1, bytes, 8), sim::Violation);
                   }});
}

}  // namespace fansim::ping_pong_test
