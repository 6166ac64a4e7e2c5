// SPDX-License-Identifier: Apache-2.0
#include "axi/interconnect.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "axi/ram.h"
#include "support/stream_bench.h"

namespace fansim::interconnect_test {

namespace {

constexpr std::uint64_t kHalf = 32768;  // bytes behind each of two subordinates; each sees the whole address

template <class T>
std::vector<std::unique_ptr<sim::Stream<T>>> streams(const std::string& name, int count) {
  std::vector<std::unique_ptr<sim::Stream<T>>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<sim::Stream<T>>(fmt::format("{}{}", name, i).c_str()));
  return all;
}

struct Manager {
  Manager(int i, int stall)
      : reads(fmt::format("reads{}", i).c_str(), {}, stall, 1),
        writes(fmt::format("writes{}", i).c_str(), {}, stall, 2),
        data(fmt::format("data{}", i).c_str(), {}, stall, 3),
        beats(fmt::format("beats{}", i).c_str(), stall, 4),
        responses(fmt::format("responses{}", i).c_str(), stall, 5) {}
  test::Source<axi::ReadBurst> reads;
  test::Source<axi::WriteBurst> writes;
  test::Source<axi::WriteBeat> data;
  test::Sink<axi::ReadBeat> beats;
  test::Sink<axi::WriteResponse> responses;

  void write(std::uint64_t address, int count, std::uint8_t value, std::uint8_t id = 0) {
    writes.add({address, count, id});
    for (int i = 0; i < count; ++i) {
      axi::WriteBeat beat;
      beat.data.fill(value);
      beat.strobe = 0xffff;
      beat.last = i + 1 == count;
      data.add(beat);
    }
  }
};

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, contract::InterconnectConfig config, int stall = 0)
      : sc_module(name),
        bytes(2 * kHalf),
        ar(streams<axi::ReadBurst>("ar", config.managers + 2)),
        r(streams<axi::ReadBeat>("r", config.managers + 2)),
        aw(streams<axi::WriteBurst>("aw", config.managers + 2)),
        w(streams<axi::WriteBeat>("w", config.managers + 2)),
        b(streams<axi::WriteResponse>("b", config.managers + 2)) {
    config.subordinates = {{0, kHalf}, {kHalf, kHalf}};
    interconnect = std::make_unique<axi::Interconnect>("interconnect", config);
    std::size_t s = 0;
    for (int i = 0; i < config.managers; ++i, ++s) {
      managers.push_back(std::make_unique<Manager>(i, stall));
      auto& port = interconnect->manager(i);
      managers.back()->reads.out(*ar[s]);
      port.ar(*ar[s]);
      port.r(*r[s]);
      managers.back()->beats.in(*r[s]);
      managers.back()->writes.out(*aw[s]);
      port.aw(*aw[s]);
      managers.back()->data.out(*w[s]);
      port.w(*w[s]);
      port.b(*b[s]);
      managers.back()->responses.in(*b[s]);
    }
    for (int i = 0; i < 2; ++i, ++s) {
      rams.push_back(std::make_unique<axi::Ram>(fmt::format("ram{}", i).c_str(), ram_config(), 16, bytes));
      auto& port = interconnect->subordinate(i);
      port.ar(*ar[s]);
      rams.back()->ar(*ar[s]);
      rams.back()->r(*r[s]);
      port.r(*r[s]);
      port.aw(*aw[s]);
      rams.back()->aw(*aw[s]);
      port.w(*w[s]);
      rams.back()->w(*w[s]);
      rams.back()->b(*b[s]);
      port.b(*b[s]);
    }
  }
  static contract::RamConfig ram_config() {
    contract::RamConfig config;
    config.kib = 64;
    return config;
  }
  Manager& operator[](int i) { return *managers[static_cast<std::size_t>(i)]; }

  std::vector<std::uint8_t> bytes;
  std::vector<std::unique_ptr<sim::Stream<axi::ReadBurst>>> ar;
  std::vector<std::unique_ptr<sim::Stream<axi::ReadBeat>>> r;
  std::vector<std::unique_ptr<sim::Stream<axi::WriteBurst>>> aw;
  std::vector<std::unique_ptr<sim::Stream<axi::WriteBeat>>> w;
  std::vector<std::unique_ptr<sim::Stream<axi::WriteResponse>>> b;
  std::unique_ptr<axi::Interconnect> interconnect;
  std::vector<std::unique_ptr<Manager>> managers;
  std::vector<std::unique_ptr<axi::Ram>> rams;
};

contract::InterconnectConfig config(int managers,
                                    contract::Arbitration arbitration = contract::Arbitration::round_robin) {
  contract::InterconnectConfig c;
  c.managers = managers;
  c.arbitration = arbitration;
  return c;
}

}  // namespace

TEST_CASE("every manager reads and writes what it asked for in its order under any stalls while bursts are counted") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  constexpr int kManagers = 3;
  constexpr int kBursts = 60;
  struct Read {
    std::uint64_t address;
    int beats;
    std::uint8_t id;
  };
  std::vector<std::vector<Read>> reads;
  for (const auto policy : {contract::Arbitration::round_robin, contract::Arbitration::priority})
    for (int stall : {0, 50}) {
      rigs.push_back(
          std::make_unique<Rig>(fmt::format("rig{}", rigs.size()).c_str(), config(kManagers, policy), stall));
      Rig& rig = *rigs.back();
      base::Random random(8);
      for (std::size_t i = 0; i < rig.bytes.size(); ++i)
        rig.bytes[i] = static_cast<std::uint8_t>(random.uniform(0, 255));
      for (int m = 0; m < kManagers; ++m) {
        reads.emplace_back();
        for (int i = 0; i < kBursts; ++i) {
          // Reads from the lower 16 KiB of either half, writes to a place of the manager's own in the upper.
          const int beats = random.uniform(1, 16);
          const std::uint64_t half = random.chance(50) ? kHalf : 0;
          const Read read{half + static_cast<std::uint64_t>(random.uniform(0, 63)) * 256, beats,
                          static_cast<std::uint8_t>(random.uniform(0, 15))};
          reads.back().push_back(read);
          rig[m].reads.add({read.address, read.beats, read.id});
          rig[m].write(half + 16384 + static_cast<std::uint64_t>(m) * 4096, 4, static_cast<std::uint8_t>(i + 100 * m));
        }
      }
    }
  REQUIRE(bench.run_until([&] {
    return std::all_of(rigs.begin(), rigs.end(), [&](const auto& rig) {
      for (int m = 0; m < kManagers; ++m)
        if ((*rig)[m].responses.count() < kBursts || !(*rig)[m].reads.done()) return false;
      return test::counter(*rig->interconnect, "reads") == kManagers * kBursts && rig->r[0]->occupancy() == 0 &&
             rig->r[1]->occupancy() == 0 && rig->r[2]->occupancy() == 0 && bench.now() % 200 == 0;
    });
  }));
  for (std::size_t k = 0; k < rigs.size(); ++k)
    for (int m = 0; m < kManagers; ++m) {
      std::size_t at = 0;
      const auto& beats = (*rigs[k])[m].beats.items();
      for (const Read& read : reads[k * kManagers + static_cast<std::size_t>(m)])
        for (int i = 0; i < read.beats; ++i, ++at) {
          INFO("rig " << k << " manager " << m << " beat " << at);
          REQUIRE(at < beats.size());
          REQUIRE(beats[at].resp == axi::Resp::okay);
          REQUIRE(beats[at].id == read.id);
          REQUIRE(beats[at].last == (i + 1 == read.beats));
          REQUIRE(std::equal(beats[at].data.begin(), beats[at].data.begin() + 16,
                             rigs[k]->bytes.begin() + static_cast<std::ptrdiff_t>(read.address) + i * 16));
        }
      CHECK(at == beats.size());
    }
  for (const auto& rig : rigs) CHECK(test::counter(*rig->interconnect, "writes") == kManagers * kBursts);
}

TEST_CASE("an interconnect adds the cycle of one more stream to every channel") {
  test::Bench bench;
  Rig rig("rig", config(2));
  rig[1].reads.add({kHalf, 2});
  bench.run(40);
  // Pushed at 1, passed on at 2, popped by the memory at 3; data pushed at 5 and 6, passed on at 6 and 7, popped at
  // 7, 8.
  CHECK(rig[1].beats.edges() == std::vector<sim::Edge>{7, 8});
}

TEST_CASE("round robin shares a subordinate evenly and priority lets the lowest port go first") {
  test::Bench bench;
  Rig fair("fair", config(3));
  contract::InterconnectConfig first = config(3, contract::Arbitration::priority);
  first.outstanding = 32;  // more than the memory takes, so that only the arbiter decides
  Rig strict("strict", first);
  for (Rig* rig : {&fair, &strict})
    for (int m = 0; m < 3; ++m)
      for (int i = 0; i < 100; ++i) (*rig)[m].reads.add({static_cast<std::uint64_t>(i) * 64, 4});
  bench.run(600);
  for (int m = 0; m < 3; ++m) CHECK(std::abs(static_cast<int>(fair[m].beats.count()) - 197) <= 8);
  CHECK(strict[0].beats.count() == 400);
  // The bus is never idle for want of a grant.
  for (Rig* rig : {&fair, &strict})
    CHECK((*rig)[0].beats.count() + (*rig)[1].beats.count() + (*rig)[2].beats.count() > 585);
  CHECK(test::counter(*fair.interconnect, "contended") > 0);
}

TEST_CASE("subordinates work side by side") {
  test::Bench bench;
  Rig rig("rig", config(2));
  for (int i = 0; i < 30; ++i) {
    rig[0].reads.add({static_cast<std::uint64_t>(i) * 256, 16});
    rig[1].reads.add({kHalf + static_cast<std::uint64_t>(i) * 256, 16});
  }
  bench.run(480 + 10);
  for (int m = 0; m < 2; ++m) {
    REQUIRE(rig[m].beats.count() == 480);
    CHECK(rig[m].beats.edges().back() - rig[m].beats.edges().front() == 479);
  }
}

TEST_CASE("a burst that no subordinate holds is answered with DECERR on every beat and the next one is served") {
  test::Bench bench;
  Rig rig("rig", config(2));
  rig[0].reads.add({2 * kHalf, 3, 7});
  rig[0].reads.add({kHalf - 16, 2, 1});  // half in one range, half in the other
  rig[0].reads.add({16, 1, 2});
  rig[0].write(0x10'0000'0000, 5, 1, 4);
  rig[0].write(32, 1, 0xab, 5);
  bench.run(100);
  const auto& beats = rig[0].beats.items();
  REQUIRE(beats.size() == 6);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(beats[i].resp == axi::Resp::decerr);
    CHECK(beats[i].id == (i < 3 ? 7 : 1));
    CHECK(beats[i].last == (i == 2 || i == 4));
  }
  CHECK(beats[5].resp == axi::Resp::okay);
  REQUIRE(rig[0].responses.count() == 2);
  CHECK(rig[0].responses.items()[0].resp == axi::Resp::decerr);
  CHECK(rig[0].responses.items()[0].id == 4);
  CHECK(rig[0].responses.items()[1].resp == axi::Resp::okay);
  CHECK(rig.bytes[32] == 0xab);
  CHECK(test::counter(*rig.interconnect, "lost") == 3);
}

}  // namespace fansim::interconnect_test
