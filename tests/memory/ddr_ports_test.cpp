// SPDX-License-Identifier: Apache-2.0
// These tests use several ports of one banked memory.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/overrides.h"
#include "memory/banked_ddr.h"
#include "memory/ddr_rig.h"

namespace fansim::ddr_ports_test {

using test::random_bytes;
using test::run_of;
using Rig = test::DdrRig;

namespace {

contract::DdrConfig config(const std::string& mapping, contract::DdrArbitration arbitration) {
  contract::DdrConfig c;
  c.fidelity = contract::DdrFidelity::banked;
  c.arbitration = arbitration;
  base::YamlNode document = base::load_yaml(FANSIM_SOURCE_DIR "/configs/parts/ddr4_2133_x8_4gb.yaml");
  base::apply_override(document, "mapping=" + mapping);
  base::YamlMap map(document);
  c.part = contract::read_ddr_part(map);
  return c;
}

// Contains a memory and a rig at each of its ports.
struct Ports {
  Ports(const std::string& name, int count, const std::string& mapping, contract::DdrArbitration arbitration,
        std::size_t bytes)
      : shared(std::make_shared<memory::BankedMemory>(config(mapping, arbitration), count, random_bytes(bytes, 3))) {
    axi.outstanding = 8;
    for (int i = 0; i < count; ++i) {
      const auto make = [&] { return std::make_unique<memory::BankedDdr>("ddr", shared, axi, i); };
      rigs.push_back(std::make_unique<Rig>(fmt::format("{}{}", name, i).c_str(), make, *shared->bytes));
    }
  }
  // Reads of 256 bytes, one after another, from each port's own eighth of the memory.
  void read(int bursts) {
    for (std::size_t port = 0; port < rigs.size(); ++port)
      for (int i = 0; i < bursts; ++i)
        rigs[port]->reads.add({static_cast<std::uint32_t>(port * 65536) + static_cast<std::uint32_t>(i) * 256, 16});
  }
  std::int64_t beats(std::size_t port) const { return static_cast<std::int64_t>(rigs[port]->read_beats.count()); }

  std::shared_ptr<memory::BankedMemory> shared;
  contract::AxiConfig axi;
  std::vector<std::unique_ptr<Rig>> rigs;
};

}  // namespace

TEST_CASE("two ports that ask at the same edge are served one edge apart as counted by hand") {
  test::Bench bench;
  Ports ports("port", 2, "zcu102_rev_1_1", contract::DdrArbitration::round_robin, 65536);
  ports.rigs[1]->reads.add({64, 4});
  ports.rigs[0]->reads.add({0, 4});
  // Port 0's enters at 69, activate 70, READ 85, end 104; port 1's at 70, activate 74 (tRRD), READ 89, end 108: 25 and
  // 26 of the ports, pushed 15 later.
  REQUIRE(bench.run_until([&] { return ports.beats(0) + ports.beats(1) == 8; }, 1000));
  CHECK(ports.rigs[0]->read_beats.edges() == run_of(41, 4));
  CHECK(ports.rigs[1]->read_beats.edges() == run_of(42, 4));
}

TEST_CASE("ports in turn share the memory evenly while with priority the first gets what it can take") {
  test::Bench bench;
  // With one bank group at a time the memory gives 11 GB/s; four ports could take 16.
  Ports turns("turn", 4, "zcu102_rev_1_0", contract::DdrArbitration::round_robin, 1 << 19);
  Ports ranks("rank", 4, "zcu102_rev_1_0", contract::DdrArbitration::priority, 1 << 19);
  turns.read(256);
  ranks.read(256);
  bench.run(3500);
  for (std::size_t port = 1; port < 4; ++port)
    CHECK(std::abs(turns.beats(port) - turns.beats(0)) <= turns.beats(0) / 20);
  CHECK(turns.beats(0) < 3300);
  CHECK(ranks.beats(0) > turns.beats(0));
  CHECK(ranks.beats(3) < ranks.beats(0));
}

TEST_CASE(
    "a read behind another port's knows that it waits for others while behind its own port's it waits for nothing") {
  test::Bench bench;
  Ports two("two", 2, "zcu102_rev_1_0", contract::DdrArbitration::round_robin, 65536);
  Ports one("one", 1, "zcu102_rev_1_0", contract::DdrArbitration::round_robin, 65536);
  // All in one row, open at 85 for the first port's READ; the second port's entered at 70 and goes at 91.
  two.rigs[0]->reads.add({0, 16});
  two.rigs[1]->reads.add({256, 4});
  one.rigs[0]->reads.add({0, 16});
  one.rigs[0]->reads.add({256, 4});
  std::vector<rules::ReadWait> seen;
  bench.at_each_edge([&](sim::Edge) {
    const rules::ReadWait wait = two.rigs[1]->ddr.read_wait();
    if (wait != rules::ReadWait::none && (seen.empty() || seen.back() != wait)) seen.push_back(wait);
    CHECK(one.rigs[0]->ddr.read_wait() != rules::ReadWait::arbitration);
  });
  REQUIRE(bench.run_until([&] { return two.beats(1) == 4 && one.beats(0) == 20; }, 1000));
  CHECK(seen == std::vector<rules::ReadWait>{rules::ReadWait::row_miss, rules::ReadWait::arbitration});
}

TEST_CASE("every port reads what any port wrote and its accesses are counted where they were asked for") {
  test::Bench bench;
  Ports ports("port", 3, "zcu102_rev_1_1", contract::DdrArbitration::round_robin, 1 << 19);
  base::Random random(6);
  for (std::uint32_t i = 0; i < 40; ++i) {
    ports.rigs[0]->write(i * 256, 16, 1, random);
    ports.rigs[1]->write(65536 + i * 256, 16, 1, random);
    ports.rigs[2]->reads.add({(i % 2) * 65536 + i * 256, 16}, 4000);
  }
  REQUIRE(bench.run_until([&] { return ports.beats(2) == 640; }, 20000));
  const std::vector<std::uint8_t> bytes(ports.shared->bytes->begin(), ports.shared->bytes->end());
  CHECK(bytes != ports.rigs[0]->initial);
  for (std::size_t beat = 0; beat < 640; ++beat) {
    const std::size_t place = (beat / 16 % 2) * 65536 + beat * 16;
    const axi::ReadBeat& item = ports.rigs[2]->read_beats.items()[beat];
    REQUIRE(std::equal(item.data.begin(), item.data.begin() + 16, bytes.begin() + static_cast<std::ptrdiff_t>(place)));
  }
  for (const auto& rig : ports.rigs) {
    rig->ddr.quiesce();
    CHECK(test::counter(rig->ddr, "row_hits") + test::counter(rig->ddr, "row_misses") +
              test::counter(rig->ddr, "row_conflicts") ==
          160);
  }
  CHECK(test::counter(ports.rigs[0]->ddr, "refreshes") == ports.rigs[0]->ddr.now() / 1950);
  CHECK(test::counter(ports.rigs[1]->ddr, "refreshes") == 0);
}

}  // namespace fansim::ddr_ports_test
