// SPDX-License-Identifier: Apache-2.0
#include "axi/dma.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "base/yaml.h"
#include "memory/ddr.h"
#include "support/stream_bench.h"

namespace fansim::dma_test {

using namespace contract::dma_map;

namespace {

struct Copy {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t bytes;
};

// Runs copies through both halves of a DMA: S2MM first, then MM2S, then waits for both to be idle.
class Driver final : public sim::Module {
 public:
  sim::StreamOut<axi::LiteRequest> request{"request"};
  sim::StreamIn<axi::LiteResponse> response{"response"};
  explicit Driver(const sc_core::sc_module_name& name) : Module(name) {}
  std::vector<Copy> copies;
  std::size_t copied = 0;

 private:
  enum Step { mm2s_run, s2mm_run, da, s2mm_length, sa, mm2s_length, poll_mm2s, poll_s2mm };

  void step() override {
    if (waiting_ && !response.can_pop()) return;
    if (waiting_) advance(response.pop().value);
    waiting_ = false;
    if (copied == copies.size()) return;
    request.push(access());
    waiting_ = true;
  }
  axi::LiteRequest access() const {
    const Copy& copy = copies[copied];
    switch (step_) {
      case mm2s_run:
        return {true, kMm2sDmacr, kCrRunStop};
      case s2mm_run:
        return {true, kS2mmDmacr, kCrRunStop | kCrIocIrqEnable};
      case da:
        return {true, kS2mmDa, copy.to};
      case s2mm_length:
        return {true, kS2mmLength, copy.bytes};
      case sa:
        return {true, kMm2sSa, copy.from};
      case mm2s_length:
        return {true, kMm2sLength, copy.bytes};
      case poll_mm2s:
        return {false, kMm2sDmasr, 0};
      case poll_s2mm:
        return {false, kS2mmDmasr, 0};
    }
    return {};
  }
  void advance(std::uint32_t value) {
    const bool poll = step_ == poll_mm2s || step_ == poll_s2mm;
    if (poll && !(value & kSrIdle)) return;
    copied += step_ == poll_s2mm;
    step_ = step_ == poll_s2mm ? da : static_cast<Step>(step_ + 1);
  }

  int step_ = mm2s_run;
  bool waiting_ = false;
};

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const contract::DdrConfig& ddr_config, const contract::AxiConfig& axi,
      std::vector<std::uint8_t> bytes)
      : sc_module(name),
        dma("dma", {}, axi),
        owner(memory::make_ddr("ddr", ddr_config, axi, std::move(bytes))),
        ddr(*owner) {
    driver.request(host);
    dma.registers.host(host);
    dma.registers.host_response(host_response);
    driver.response(host_response);
    dma.registers.pl(pl);
    dma.registers.pl_response(pl_response);
    dma.mm2s.ar(ar);
    ddr.ar(ar);
    ddr.r(r);
    dma.mm2s.r(r);
    dma.mm2s.m_axis(axis);
    dma.s2mm.s_axis(axis);
    dma.s2mm.aw(aw);
    ddr.aw(aw);
    dma.s2mm.w(w);
    ddr.w(w);
    ddr.b(b);
    dma.s2mm.b(b);
  }
  sim::Stream<axi::LiteRequest> host{"host"}, pl{"pl"};
  sim::Stream<axi::LiteResponse> host_response{"host_response"}, pl_response{"pl_response"};
  sim::Stream<axi::ReadBurst> ar{"ar"};
  sim::Stream<axi::ReadBeat> r{"r"};
  sim::Stream<axi::WriteBurst> aw{"aw"};
  sim::Stream<axi::WriteBeat> w{"w"};
  sim::Stream<axi::WriteResponse> b{"b"};
  sim::Stream<axi::StreamBeat> axis{"axis"};
  Driver driver{"driver"};
  axi::Dma dma;
  const std::unique_ptr<memory::Ddr> owner;
  memory::Ddr& ddr;
};

}  // namespace

TEST_CASE("a DMA copies any bytes to any address through the memory it shares") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  std::vector<std::vector<std::uint8_t>> expected;
  constexpr int kHalf = 40000;
  for (auto fidelity : {contract::DdrFidelity::ideal, contract::DdrFidelity::fixed, contract::DdrFidelity::banked})
    for (int bits : {64, 128})
      for (int beats : {4, 16, 64}) {
        contract::AxiConfig axi;
        axi.data_bits = bits;
        axi.burst_beats = beats;
        contract::DdrConfig ddr;
        ddr.fidelity = fidelity;
        ddr.refresh_interval = 700;
        base::YamlMap part(base::load_yaml(FANSIM_SOURCE_DIR "/configs/parts/ddr4_2133_x8_4gb.yaml"));
        ddr.part = contract::read_ddr_part(part);
        base::Random random(21);
        std::vector<std::uint8_t> memory(2 * kHalf);
        for (auto& byte : memory) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
        auto reference = memory;
        auto rig = std::make_unique<Rig>(fmt::format("rig{}_{}_{}", static_cast<int>(fidelity), bits, beats).c_str(),
                                         ddr, axi, std::move(memory));
        for (int i = 0; i < 50; ++i) {
          const int bytes = random.uniform(1, random.chance(50) ? 60 : 12000);
          const int from = random.uniform(0, kHalf - bytes);
          const int to = kHalf + random.uniform(0, kHalf - bytes);
          rig->driver.copies.push_back(
              {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(bytes)});
          std::copy_n(reference.begin() + from, bytes, reference.begin() + to);
        }
        expected.push_back(reference);
        rigs.push_back(std::move(rig));
      }
  REQUIRE(bench.run_until(
      [&] { return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->driver.copied == 50; }); }));
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    INFO(rigs[i]->name());
    REQUIRE(std::equal(expected[i].begin(), expected[i].end(), rigs[i]->ddr.data()));
    CHECK(rigs[i]->dma.mm2s.bytes() == rigs[i]->dma.s2mm.bytes());
    CHECK(rigs[i]->dma.registers.s2mm_introut());
    CHECK(!rigs[i]->dma.registers.mm2s_introut());
    // The kit's manager reserves space and buffers its bursts.
    CHECK(test::counter(rigs[i]->ddr, "read_stalls") == 0);
    CHECK(test::counter(rigs[i]->ddr, "write_stalls") == 0);
    CHECK(test::counter(rigs[i]->ddr, "read_bursts") == test::counter(rigs[i]->dma.mm2s, "bursts"));
    CHECK(test::counter(rigs[i]->ddr, "write_bursts") == test::counter(rigs[i]->dma.s2mm, "bursts"));
  }
}

TEST_CASE("one read through registers and DMA and memory takes the cycles of its parts") {
  test::Bench bench;
  Rig rig("rig", {}, {}, std::vector<std::uint8_t>(4096));
  rig.driver.copies = {{0, 2048, 16}};
  std::vector<sim::Edge> length_pop, ar_push, r_push, axis_push, aw_push, b_push;
  const auto note = [](std::vector<sim::Edge>& edges, const sim::StreamBase& stream, sim::Edge edge) {
    if (static_cast<std::size_t>(stream.pushes()) > edges.size()) edges.push_back(edge);
  };
  bench.at_each_edge([&](sim::Edge edge) {
    // Called before the blocks' steps: what it sees was pushed at the edge before.
    note(length_pop, rig.host_response, edge - 1);
    note(ar_push, rig.ar, edge - 1);
    note(r_push, rig.r, edge - 1);
    note(axis_push, rig.axis, edge - 1);
    note(aw_push, rig.aw, edge - 1);
    note(b_push, rig.b, edge - 1);
  });
  REQUIRE(bench.run_until([&] { return rig.driver.copied == 1; }, 1000));
  const sim::Edge e = length_pop[5];              // MM2S_LENGTH is the sixth access
  CHECK(ar_push[0] == e + 8);                     // mm2s_start
  CHECK(r_push[0] == e + 8 + 2 + 40);             // popped +1, granted +1, read_latency
  CHECK(axis_push[0] == e + 8 + 2 + 40 + 1 + 6);  // popped, mm2s_stream
  const sim::Edge s = axis_push[0] + 1;           // popped by S2MM, armed long before
  CHECK(aw_push[0] == s + 1);
  // Popped +1; granted +1 with the turnaround long past; one beat; write_latency.
  CHECK(b_push[0] == s + 1 + 2 + 20);
}

}  // namespace fansim::dma_test
