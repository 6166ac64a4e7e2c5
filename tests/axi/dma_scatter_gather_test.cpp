// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>

#include "axi/dma.h"
#include "axi/port_streams.h"
#include "axi/ram.h"
#include "support/stream_bench.h"

namespace fansim::dma_scatter_gather_test {

using namespace contract::dma_map;

namespace {

constexpr std::uint32_t kFrom = 0x10000, kTo = 0x40000;               // buffers
constexpr std::uint32_t kSendChain = 0x1000, kReceiveChain = 0x8000;  // descriptors
constexpr std::size_t kMemory = 0x80000;

// Contains a DMA whose output stream from memory returns to it, and holds what the copies should leave behind.
struct Loop : sc_core::sc_module {
  Loop(const sc_core::sc_module_name& name, const contract::AxiConfig& axi, std::uint64_t seed)
      : sc_module(name),
        random(seed, this->name()),
        bytes(kMemory),
        driver("driver"),
        answers("answers"),
        dma("dma", dma_config(), axi),
        data("data", ram_config(), axi.beat_bytes(), bytes),
        descriptors("descriptors", ram_config(), 4, bytes) {
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
    driver.out(lite);
    dma.registers.host(lite);
    dma.registers.host_response(lite_response);
    answers.in(lite_response);
    dma.registers.pl(pl);
    dma.registers.pl_response(pl_response);
    dma.mm2s.m_axis(axis);
    dma.s2mm.s_axis(axis);
    dma.mm2s.ar(port.ar);
    data.ar(port.ar);
    data.r(port.r);
    dma.mm2s.r(port.r);
    dma.s2mm.aw(port.aw);
    data.aw(port.aw);
    dma.s2mm.w(port.w);
    data.w(port.w);
    data.b(port.b);
    dma.s2mm.b(port.b);
    axi::DescriptorEngine& engine = *dma.descriptors;
    engine.ar(sg.ar);
    descriptors.ar(sg.ar);
    descriptors.r(sg.r);
    engine.r(sg.r);
    engine.aw(sg.aw);
    descriptors.aw(sg.aw);
    engine.w(sg.w);
    descriptors.w(sg.w);
    descriptors.b(sg.b);
    engine.b(sg.b);
  }
  static contract::DmaConfig dma_config() {
    contract::DmaConfig config;
    config.mode = contract::DmaMode::scatter_gather;
    return config;
  }
  static contract::RamConfig ram_config() {
    contract::RamConfig config;
    config.kib = kMemory / 1024;
    config.read_latency = 9;
    return config;
  }

  void store(std::uint64_t address, std::uint32_t word) { std::memcpy(&bytes[address], &word, 4); }
  void descriptor(std::uint32_t at, std::uint32_t buffer, std::uint32_t control) {
    for (std::uint32_t i = 0; i < 13; ++i) store(at + 4 * i, 0);
    store(at, at + kDescBytes);
    store(at + kDescBuffer, buffer);
    store(at + kDescControl, control);
  }

  // Makes random packets in random pieces, and random buffers that receive them.
  void build(int packets) {
    std::uint32_t from = kFrom, to = kTo;
    for (int p = 0; p < packets; ++p) {
      std::vector<std::uint8_t> packet;
      const int pieces = random.uniform(1, 4);
      for (int i = 0; i < pieces; ++i) {
        const auto size = static_cast<std::uint32_t>(random.uniform(1, random.chance(40) ? 12 : 1500));
        from += static_cast<std::uint32_t>(random.uniform(0, 70));
        packet.insert(packet.end(), &bytes[from], &bytes[from] + size);
        descriptor(kSendChain + sends++ * kDescBytes, from,
                   (i == 0 ? kDescSof : 0) | (i + 1 == pieces ? kDescEof : 0) | size);
        from += size;
      }
      receive(packet, to);
    }
  }
  void receive(const std::vector<std::uint8_t>& packet, std::uint32_t& to) {
    for (std::size_t done = 0; done < packet.size();) {
      const auto size = static_cast<std::uint32_t>(random.uniform(1, random.chance(40) ? 12 : 1500));
      const std::size_t takes = std::min<std::size_t>(size, packet.size() - done);
      to += static_cast<std::uint32_t>(random.uniform(0, 70));
      descriptor(kReceiveChain + receives++ * kDescBytes, to, size);
      std::memcpy(&expected[to], &packet[done], takes);
      std::fill_n(written.begin() + to, takes, true);
      statuses.push_back(static_cast<std::uint32_t>(takes) | kDescComplete | (done == 0 ? kDescSof : 0) |
                         (done + takes == packet.size() ? kDescEof : 0));
      done += takes;
      to += size;
    }
  }
  void start() {
    before = bytes;
    const auto write = [&](std::uint32_t address, std::uint32_t value) { driver.add({true, address, value}); };
    write(kS2mmCurdesc, kReceiveChain);
    write(kS2mmDmacr, kCrRunStop);
    write(kS2mmTaildesc, kReceiveChain + (receives - 1) * kDescBytes);
    write(kMm2sCurdesc, kSendChain);
    write(kMm2sDmacr, kCrRunStop);
    write(kMm2sTaildesc, kSendChain + (sends - 1) * kDescBytes);
  }
  bool done() const { return driver.done() && answers.count() == 6 && !dma.registers.busy(); }

  base::Random random;
  std::vector<std::uint8_t> bytes, before;
  std::vector<std::uint8_t> expected = std::vector<std::uint8_t>(kMemory);
  std::vector<bool> written = std::vector<bool>(kMemory);
  std::vector<std::uint32_t> statuses;
  std::uint32_t sends = 0, receives = 0;
  sim::Stream<axi::LiteRequest> lite{"lite"}, pl{"pl"};
  sim::Stream<axi::LiteResponse> lite_response{"lite_response"}, pl_response{"pl_response"};
  sim::Stream<axi::StreamBeat> axis{"axis"};
  axi::PortStreams port{"port"}, sg{"sg"};
  test::Source<axi::LiteRequest> driver;
  test::Sink<axi::LiteResponse> answers;
  axi::Dma dma;
  axi::Ram data, descriptors;
};

}  // namespace

TEST_CASE("random chains copy random packets byte by byte and touch nothing else and report every descriptor") {
  test::Bench bench;
  std::vector<std::unique_ptr<Loop>> loops;
  for (int bits : {32, 64, 128, 256, 512})
    for (int beats : {1, 16, 64}) {
      contract::AxiConfig axi;
      axi.data_bits = bits;
      axi.burst_beats = beats;
      axi.outstanding = beats == 1 ? 2 : 4;
      loops.push_back(std::make_unique<Loop>(fmt::format("l{}_{}", bits, beats).c_str(), axi, 11));
      loops.back()->build(25);
      loops.back()->start();
    }
  REQUIRE(bench.run_until(
      [&] { return std::all_of(loops.begin(), loops.end(), [](const auto& loop) { return loop->done(); }); }, 300000));
  for (const auto& loop : loops) {
    INFO(loop->name());
    for (std::uint32_t i = 0; i < loop->receives; ++i) {
      INFO("descriptor " << i);
      std::uint32_t status = 0;
      std::memcpy(&status, &loop->bytes[kReceiveChain + i * kDescBytes + kDescStatus], 4);
      REQUIRE(status == loop->statuses[i]);
    }
    for (std::size_t at = kTo; at < kMemory; ++at) {
      INFO("byte " << at);
      REQUIRE(loop->bytes[at] == (loop->written[at] ? loop->expected[at] : loop->before[at]));
    }
    CHECK(test::counter(*loop->dma.descriptors, "fetched") == loop->sends + loop->receives);
    CHECK(test::counter(*loop->dma.descriptors, "updated") == loop->sends + loop->receives);
    CHECK(test::counter(loop->dma.mm2s, "bytes") == test::counter(loop->dma.s2mm, "bytes"));
  }
}

}  // namespace fansim::dma_scatter_gather_test
