// SPDX-License-Identifier: Apache-2.0
#include "memory/ddr.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "support/stream_bench.h"

using namespace fansim;
using Edges = std::vector<sim::Edge>;

namespace {

arch::DdrConfig config() {
  arch::DdrConfig c;
  c.read_latency = 40;
  c.write_latency = 20;
  c.turnaround = 8;
  c.refresh_interval = 1000;
  c.refresh_cycles = 88;
  return c;
}

std::vector<std::uint8_t> random_bytes(std::size_t n, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::uint8_t> bytes(n);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
  return bytes;
}

// A memory with a foreign manager on each channel.
struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const arch::DdrConfig& ddr_config, const arch::AxiConfig& axi,
      std::vector<std::uint8_t> memory, int stall = 0, std::uint64_t seed = 1)
      : sc_module(name),
        initial(memory),
        reads("reads", {}, stall, seed),
        writes("writes", {}, stall, seed),
        write_beats("write_beats", {}, stall, seed),
        read_beats("read_beats", stall, seed),
        responses("responses", stall, seed),
        ddr("ddr", ddr_config, axi, std::move(memory)) {
    reads.out(ar), ddr.ar(ar);
    writes.out(aw), ddr.aw(aw);
    write_beats.out(w), ddr.w(w);
    ddr.r(r), read_beats.in(r);
    ddr.b(b), responses.in(b);
  }
  void write(std::uint32_t address, int beats, sim::Edge edge, base::Random& random) {
    writes.add({address, beats}, edge);
    for (int i = 0; i < beats; ++i) {
      axi::WriteBeat beat;
      for (auto& byte : beat.data) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
      beat.strobe = random.chance(50) ? 0xffff : static_cast<std::uint32_t>(random.uniform(0, 0xffff));
      beat.last = i + 1 == beats;
      write_beats.add(beat, edge);
    }
  }
  const std::vector<std::uint8_t> initial;
  sim::Stream<axi::ReadBurst> ar{"ar"};
  sim::Stream<axi::ReadBeat> r{"r"};
  sim::Stream<axi::WriteBurst> aw{"aw"};
  sim::Stream<axi::WriteBeat> w{"w"};
  sim::Stream<axi::WriteResponse> b{"b"};
  test::Source<axi::ReadBurst> reads;
  test::Source<axi::WriteBurst> writes;
  test::Source<axi::WriteBeat> write_beats;
  test::Sink<axi::ReadBeat> read_beats;
  test::Sink<axi::WriteResponse> responses;
  memory::Ddr ddr;
};

Edges run_of(sim::Edge first, int count) {
  Edges edges;
  for (int i = 0; i < count; ++i) edges.push_back(first + i);
  return edges;
}

Edges operator+(Edges a, const Edges& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a read burst's beats leave read_latency after its grant, one per cycle, bursts without a gap") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  for (std::uint32_t i = 0; i < 8; ++i) rig.reads.add({i * 256, 16});
  REQUIRE(bench.run_until([&] { return rig.read_beats.count() == 128; }, 1000));
  // Pushed at 1, popped at 2, granted at 3, first beat pushed at 43 and popped at 44.
  CHECK(rig.read_beats.edges() == run_of(44, 128));
  for (std::size_t i = 0; i < 128; ++i) {
    REQUIRE(std::equal(rig.read_beats.items()[i].data.begin(), rig.read_beats.items()[i].data.begin() + 16,
                       rig.initial.begin() + static_cast<std::ptrdiff_t>(i * 16)));
    REQUIRE(rig.read_beats.items()[i].last == (i % 16 == 15));
  }
}

TEST_CASE("a write burst takes a beat per cycle from its grant and responds write_latency after the last") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  base::Random random(1);
  rig.write(0, 16, 1, random);
  rig.write(256, 4, 1, random);
  REQUIRE(bench.run_until([&] { return rig.responses.count() == 2; }, 1000));
  // Granted at 3, beats 3..18, response pushed at 38; the next burst has beats 19..22.
  CHECK(rig.responses.edges() == Edges{39, 43});
  CHECK(rig.write_beats.edges() == Edges{1, 2} + run_of(4, 18));
}

TEST_CASE("read and write bursts take turns, each change costing the turnaround") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  base::Random random(1);
  rig.reads.add({0, 4});
  rig.reads.add({64, 4});
  rig.write(256, 2, 1, random);
  std::vector<rules::ReadWait> waits;
  std::vector<bool> outstanding;
  bench.at_each_edge([&](sim::Edge) {
    waits.push_back(rig.ddr.read_wait());
    outstanding.push_back(rig.ddr.read_outstanding());
  });
  bench.run(100);
  // Read 3..6; write from 7 + 8 = 15..16; read from 17 + 8 = 25..28.
  CHECK(rig.read_beats.edges() == run_of(44, 4) + run_of(66, 4));
  CHECK(rig.responses.edges() == Edges{37});
  CHECK(test::counter(rig.ddr, "turnarounds") == 2);
  // As seen one edge later. The first read's latency and data are no wait; they end at 46, the second read's at 68.
  using W = rules::ReadWait;
  for (sim::Edge edge = 1; edge <= 100; ++edge) {
    INFO("edge " << edge);
    CHECK(waits[static_cast<std::size_t>(edge - 1)] == W::none);
    CHECK(outstanding[static_cast<std::size_t>(edge - 1)] == (edge >= 3 && edge <= 68));
  }
}

TEST_CASE("a read that waits knows what for: a write, the turnaround, a refresh") {
  test::Bench bench;
  arch::DdrConfig c = config();
  c.refresh_interval = 100;
  Rig rig("rig", c, {}, random_bytes(4096, 1));
  base::Random random(1);
  rig.write(0, 16, 1, random);  // bus 3..18
  rig.reads.add({0, 4}, 5);     // arrives at 6, granted at 19, starts at 19 + 8 = 27, done at 70
  rig.reads.add({0, 4}, 100);   // arrives at 101; refresh 100..187; granted at 188
  std::vector<rules::ReadWait> waits{rules::ReadWait::none};
  bench.at_each_edge([&](sim::Edge) { waits.push_back(rig.ddr.read_wait()); });
  bench.run(400);
  using W = rules::ReadWait;
  for (std::size_t edge = 1; edge + 1 < waits.size(); ++edge) {
    INFO("edge " << edge);
    const W expected = edge >= 7 && edge <= 18      ? W::arbitration
                       : edge >= 19 && edge <= 26   ? W::turnaround
                       : edge >= 102 && edge <= 187 ? W::refresh
                                                    : W::none;
    REQUIRE(waits[edge + 1] == expected);  // a register: seen one edge later
  }
  CHECK(rig.read_beats.edges() == run_of(68, 4) + run_of(229, 4));
}

TEST_CASE("a refresh waits for the burst on the bus and then holds the memory") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  rig.reads.add({0, 16}, 990);     // popped 991, granted 992, bus until 1007
  rig.reads.add({256, 16}, 991);   // refresh 1008..1095, granted 1096
  rig.reads.add({512, 16}, 1990);  // granted 1992, bus until 2007: the refresh due at 2000 keeps its schedule
  rig.reads.add({768, 16}, 2095);  // popped 2096, granted 2097, after the refresh 2008..2095
  REQUIRE(bench.run_until([&] { return rig.read_beats.count() == 64; }, 4000));
  CHECK(rig.read_beats.edges() == run_of(1033, 16) + run_of(1137, 16) + run_of(2033, 16) + run_of(2138, 16));
  CHECK(test::counter(rig.ddr, "refreshes") == 2);
}

TEST_CASE("data are the same whatever the manager's stalls, strobes are honoured and the counters add up") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  std::vector<std::vector<std::uint8_t>> expected_memory;
  std::vector<std::vector<std::pair<std::uint32_t, int>>> bursts;
  std::int64_t write_beats = 0;
  for (int bits : {64, 128})
    for (int stall : {0, 30, 70}) {
      arch::AxiConfig axi;
      axi.data_bits = bits;
      axi.outstanding = stall == 30 ? 1 : 4;
      const int size = axi.beat_bytes();
      const auto memory = random_bytes(65536, 5);
      auto rig = std::make_unique<Rig>(fmt::format("rig{}_{}", bits, stall).c_str(), config(), axi, memory, stall);
      base::Random random(11);
      base::Random data(12);
      base::Random copy(12);
      auto reference = memory;
      bursts.emplace_back();
      write_beats = 0;
      for (int i = 0; i < 100; ++i) {
        const int beats = random.uniform(1, 16);
        const auto place = static_cast<std::uint32_t>(random.uniform(0, 127) * 256);
        rig->reads.add({place, beats});
        bursts.back().emplace_back(place, beats);
        // Writes go to the other half, so their order against the reads does not matter.
        rig->write(place + 32768, beats, 0, data);
        write_beats += beats;
        for (int k = 0; k < beats; ++k) {
          axi::BeatBytes bytes;
          for (auto& byte : bytes) byte = static_cast<std::uint8_t>(copy.uniform(0, 255));
          const std::uint32_t strobe = copy.chance(50) ? 0xffff : static_cast<std::uint32_t>(copy.uniform(0, 0xffff));
          for (int n = 0; n < size; ++n)
            if (strobe >> n & 1)
              reference[place + 32768 + static_cast<std::size_t>(k * size + n)] = bytes[static_cast<std::size_t>(n)];
        }
      }
      expected_memory.push_back(reference);
      rigs.push_back(std::move(rig));
    }
  REQUIRE(bench.run_until([&] {
    for (const auto& rig : rigs)
      if (rig->responses.count() < 100 || static_cast<std::int64_t>(rig->read_beats.count()) < write_beats)
        return false;
    return true;
  }));
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    INFO(rigs[i]->name());
    const memory::Ddr& ddr = rigs[i]->ddr;
    REQUIRE(std::equal(expected_memory[i].begin(), expected_memory[i].end(), ddr.data()));
    const int size = i < 3 ? 8 : 16;
    std::size_t beat = 0;
    for (const auto& [place, beats] : bursts[i])
      for (int k = 0; k < beats; ++k, ++beat)
        REQUIRE(std::equal(rigs[i]->read_beats.items()[beat].data.begin(),
                           rigs[i]->read_beats.items()[beat].data.begin() + size, ddr.data() + place + k * size));
    CHECK(test::counter(ddr, "read_bursts") == 100);
    CHECK(test::counter(ddr, "write_bursts") == 100);
    CHECK(test::counter(ddr, "read_beats") == write_beats);
    CHECK(test::counter(ddr, "write_beats") == write_beats);
    const bool stalls = test::counter(ddr, "read_stalls") + test::counter(ddr, "write_stalls") > 0;
    CHECK(stalls == (i % 3 != 0));
  }
}

TEST_CASE("after quiesce the same requests take the same cycles as on a fresh memory") {
  test::Bench bench;
  Rig fresh("fresh", config(), {}, random_bytes(4096, 1));
  Rig used("used", config(), {}, random_bytes(4096, 1));
  base::Random random(1);
  used.write(0, 16, 930, random);
  constexpr sim::Edge kBoundary = 1013;
  bench.at_each_edge([&](sim::Edge edge) {
    if (edge == kBoundary) used.ddr.quiesce();
  });
  for (sim::Edge edge = 1; edge < 2000; edge += 37) {
    for (auto* rig : {&fresh, &used}) {
      const sim::Edge shift = rig == &used ? kBoundary : 0;
      rig->reads.add({256, 16}, edge + shift);
      rig->write(1024, 8, edge + shift + 3, random);
    }
  }
  bench.run(4000);
  REQUIRE(fresh.read_beats.count() == used.read_beats.count());
  for (std::size_t i = 0; i < fresh.read_beats.count(); ++i)
    REQUIRE(fresh.read_beats.edges()[i] + kBoundary == used.read_beats.edges()[i]);
  for (std::size_t i = 0; i < fresh.responses.count(); ++i)
    REQUIRE(fresh.responses.edges()[i] + kBoundary == used.responses.edges()[i + 1]);
}

namespace {

struct Initiator : sc_core::sc_module {
  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name) {}
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>& data) {
    tlm::tlm_generic_payload payload;
    fill(payload, command, address, data);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  unsigned debug(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>& data) {
    tlm::tlm_generic_payload payload;
    fill(payload, command, address, data);
    return socket->transport_dbg(payload);
  }

 private:
  static void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
                   std::vector<std::uint8_t>& data) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
  }
};

}  // namespace

TEST_CASE("TLM accesses read and write the memory and do not disturb the clocked side") {
  test::Bench bench;
  Rig plain("plain", config(), {}, random_bytes(4096, 1));
  Rig shared("shared", config(), {}, random_bytes(4096, 1));
  Initiator initiator("initiator");
  initiator.socket.bind(shared.ddr.socket);
  for (auto* rig : {&plain, &shared})
    for (std::uint32_t i = 0; i < 8; ++i) rig->reads.add({i * 256, 16});
  bench.at_each_edge([&](sim::Edge edge) {
    std::vector<std::uint8_t> written(33, static_cast<std::uint8_t>(edge));
    std::vector<std::uint8_t> read(33);
    REQUIRE(initiator.access(tlm::TLM_WRITE_COMMAND, 3001, written) == tlm::TLM_OK_RESPONSE);
    REQUIRE(initiator.access(tlm::TLM_READ_COMMAND, 3001, read) == tlm::TLM_OK_RESPONSE);
    REQUIRE(read == written);
    REQUIRE(initiator.debug(tlm::TLM_READ_COMMAND, 4090, read) == 0);
    REQUIRE(initiator.access(tlm::TLM_READ_COMMAND, 4090, read) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    written.resize(4);
    REQUIRE(initiator.debug(tlm::TLM_WRITE_COMMAND, 4092, written) == 4);
  });
  bench.run(300);
  CHECK(shared.read_beats.count() == 128);
  CHECK(plain.read_beats.edges() == shared.read_beats.edges());
}

TEST_CASE("a burst outside the memory is a violation") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  rig.reads.add({4096, 1});
  REQUIRE_THROWS_AS(bench.run(100), sim::Violation);
}

TEST_CASE("a burst across a 4 KiB boundary is a violation") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(8192, 1));
  rig.reads.add({4080, 2});
  REQUIRE_THROWS_WITH(bench.run(100), Catch::Contains("4 KiB"));
}
