// SPDX-License-Identifier: Apache-2.0
// These tests check what holds for the memory in every fidelity.
#include "memory/ddr.h"

#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <catch2/catch.hpp>
#include <memory>

#include "base/overrides.h"
#include "memory/ddr_rig.h"

namespace fansim::ddr_test {

using test::random_bytes;
using Rig = test::DdrRig;

namespace {

constexpr contract::DdrFidelity kFidelities[] = {contract::DdrFidelity::ideal, contract::DdrFidelity::fixed,
                                                 contract::DdrFidelity::banked};

contract::DdrConfig config(contract::DdrFidelity fidelity = contract::DdrFidelity::fixed) {
  contract::DdrConfig c;
  c.fidelity = fidelity;
  c.refresh_interval = 1000;
  base::YamlMap map(base::load_yaml(FANSIM_SOURCE_DIR "/configs/parts/ddr4_2133_x8_4gb.yaml"));
  c.part = contract::read_ddr_part(map);
  return c;
}

}  // namespace

namespace {

// A rig, its traffic and what must come of it. Reads stay in the lower half, writes in the upper one, so their order
// against each other does not matter.
struct Traffic {
  Traffic(contract::DdrFidelity fidelity, int bits, int stall) {
    axi.data_bits = bits;
    axi.outstanding = stall == 30 ? 1 : 4;
    const auto memory = random_bytes(65536, 5);
    expected = memory;
    rig = std::make_unique<Rig>(fmt::format("rig{}_{}_{}", static_cast<int>(fidelity), bits, stall).c_str(),
                                config(fidelity), axi, memory, stall);
    base::Random random(11);
    base::Random data(12);
    base::Random copy(12);
    for (int i = 0; i < 100; ++i) {
      const int beats = random.uniform(1, 16);
      const int first = random.uniform(0, 16 - beats);
      const auto place = static_cast<std::uint32_t>(random.uniform(0, 127) * 256 + first * axi.beat_bytes());
      rig->reads.add({place, beats});
      reads.emplace_back(place, beats);
      rig->write(place + 32768, beats, 0, data);
      total_beats += beats;
      for (int k = 0; k < beats; ++k) write(place + 32768 + static_cast<std::uint32_t>(k * axi.beat_bytes()), copy);
    }
  }
  void write(std::uint32_t address, base::Random& copy) {
    axi::BeatBytes bytes;
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(copy.uniform(0, 255));
    const std::uint32_t strobe = copy.chance(50) ? 0xffff : static_cast<std::uint32_t>(copy.uniform(0, 0xffff));
    for (std::size_t n = 0; n < static_cast<std::size_t>(axi.beat_bytes()); ++n)
      if (strobe >> n & 1) expected[address + n] = bytes[n];
  }
  bool done() const {
    return rig->responses.count() == 100 && static_cast<std::int64_t>(rig->read_beats.count()) == total_beats;
  }

  contract::AxiConfig axi;
  std::unique_ptr<Rig> rig;
  std::vector<std::uint8_t> expected;
  std::vector<std::pair<std::uint32_t, int>> reads;
  std::int64_t total_beats = 0;
};

}  // namespace

TEST_CASE("data are the same whatever the fidelity and stalls while strobes are honoured and counters add up") {
  test::Bench bench;
  std::vector<Traffic> all;
  for (const contract::DdrFidelity fidelity : kFidelities)
    for (const int bits : {64, 128})
      for (const int stall : {0, 30, 70}) all.emplace_back(fidelity, bits, stall);
  REQUIRE(bench.run_until([&] { return std::all_of(all.begin(), all.end(), [](auto& t) { return t.done(); }); }));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Traffic& traffic = all[i];
    const Rig& rig = *traffic.rig;
    INFO(rig.name());
    REQUIRE(std::equal(traffic.expected.begin(), traffic.expected.end(), rig.ddr.data()));
    const int size = traffic.axi.beat_bytes();
    std::size_t beat = 0;
    for (const auto& [place, beats] : traffic.reads)
      for (int k = 0; k < beats; ++k, ++beat) {
        const axi::ReadBeat& item = rig.read_beats.items()[beat];
        REQUIRE(item.last == (k + 1 == beats));
        REQUIRE(std::equal(item.data.begin(), item.data.begin() + size, rig.ddr.data() + place + k * size));
      }
    CHECK(test::counter(rig.ddr, "read_bursts") == 100);
    CHECK(test::counter(rig.ddr, "write_bursts") == 100);
    CHECK(test::counter(rig.ddr, "read_beats") == traffic.total_beats);
    CHECK(test::counter(rig.ddr, "write_beats") == traffic.total_beats);
    const bool stalls = test::counter(rig.ddr, "read_stalls") + test::counter(rig.ddr, "write_stalls") > 0;
    CHECK(stalls == (i % 3 != 0));
  }
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

TEST_CASE("a burst across a 4 KiB boundary is a violation and so it is of a banked memory") {
  test::Bench bench;
  Rig rig("rig", config(contract::DdrFidelity::banked), {}, random_bytes(8192, 1));
  rig.reads.add({4080, 2});
  REQUIRE_THROWS_WITH(bench.run(100), Catch::Contains("4 KiB"));
}

TEST_CASE("a write burst that ends early is a violation") {
  test::Bench bench;
  Rig rig("rig", config(contract::DdrFidelity::banked), {}, random_bytes(8192, 1));
  rig.writes.add({0, 2});
  axi::WriteBeat beat;
  beat.last = true;
  rig.write_beats.add(beat);
  REQUIRE_THROWS_WITH(bench.run(100), Catch::Contains("WLAST is 1 at beat 1 of 2"));
}

}  // namespace fansim::ddr_test
