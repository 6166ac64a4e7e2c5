// SPDX-License-Identifier: Apache-2.0
#include "axi/dma_registers.h"

#include <catch2/catch.hpp>

#include "support/stream_bench.h"

namespace fansim::dma_registers_test {

using namespace contract::dma_map;

namespace {

struct Rig {
  Rig() {
    host.out(host_request);
    registers.host(host_request);
    registers.host_response(host_response);
    host_answers.in(host_response);
    pl.out(pl_request);
    registers.pl(pl_request);
    registers.pl_response(pl_response);
    pl_answers.in(pl_response);
    registers.mm2s_command(mm2s_command);
    mm2s_commands.in(mm2s_command);
    registers.s2mm_command(s2mm_command);
    s2mm_commands.in(s2mm_command);
    mm2s_dones.out(mm2s_done);
    registers.mm2s_done(mm2s_done);
    s2mm_dones.out(s2mm_done);
    registers.s2mm_done(s2mm_done);
  }
  void write(sim::Edge edge, std::uint32_t address, std::uint32_t value) { host.add({true, address, value}, edge); }
  void expect(sim::Edge edge, std::uint32_t address, std::uint32_t value) {
    host.add({false, address, 0}, edge);
    expected.emplace_back(host_count() - 1, value);
  }
  std::size_t host_count() const { return host.not_before.size(); }
  void check() const {
    for (const auto& [index, value] : expected) {
      INFO("access " << index << " at edge " << host.not_before[index]);
      REQUIRE(index < host_answers.count());
      CHECK(host_answers.items()[index].value == value);
    }
  }
  test::Bench bench;
  sim::Stream<axi::LiteRequest> host_request{"host_request"}, pl_request{"pl_request"};
  sim::Stream<axi::LiteResponse> host_response{"host_response"}, pl_response{"pl_response"};
  sim::Stream<axi::TransferCommand> mm2s_command{"mm2s_command"}, s2mm_command{"s2mm_command"};
  sim::Stream<axi::TransferDone> mm2s_done{"mm2s_done"}, s2mm_done{"s2mm_done"};
  test::Source<axi::LiteRequest> host{"host"}, pl{"pl"};
  test::Sink<axi::LiteResponse> host_answers{"host_answers"}, pl_answers{"pl_answers"};
  test::Sink<axi::TransferCommand> mm2s_commands{"mm2s_commands"}, s2mm_commands{"s2mm_commands"};
  test::Source<axi::TransferDone> mm2s_dones{"mm2s_dones"}, s2mm_dones{"s2mm_dones"};
  axi::DmaRegisters registers{"registers", contract::DmaConfig{}};
  std::vector<std::pair<std::size_t, std::uint32_t>> expected;
};

}  // namespace

TEST_CASE("the registers follow direct register mode from reset to the cleared interrupt") {
  Rig rig;
  rig.expect(1, kMm2sDmacr, 0x0001'0002);
  rig.expect(2, kMm2sDmasr, kSrHalted);
  rig.write(3, kMm2sLength, 64);  // halted: no effect
  rig.write(4, kMm2sDmacr, kCrRunStop | kCrIocIrqEnable);
  rig.expect(5, kMm2sDmacr, 0x0001'1003);
  rig.expect(6, kMm2sDmasr, 0);  // running, but not idle before the first transfer
  rig.write(7, kMm2sSa, 0x1234);
  rig.write(8, kMm2sLength, 0);             // zero: no effect
  rig.write(20, kMm2sLength, 0xfc00'0040);  // bits above length_bits do not exist
  rig.expect(21, kMm2sSa, 0x1234);
  rig.expect(22, kMm2sLength, 0x40);
  rig.expect(23, kMm2sDmasr, 0);
  rig.mm2s_dones.add({}, 50);
  rig.expect(49, kMm2sDmasr, 0);
  rig.expect(50, kMm2sDmasr, kSrIdle | kSrIocIrq);  // popped at 51, together with the completion
  rig.write(60, kMm2sDmasr, kSrIocIrq);
  rig.expect(61, kMm2sDmasr, kSrIdle);
  rig.expect(62, kS2mmDmasr, kSrHalted);
  rig.expect(63, 0x2c, 0);
  rig.expect(64, 0x100, 0);
  std::vector<bool> lines{false};
  rig.bench.at_each_edge([&](sim::Edge) { lines.push_back(rig.registers.mm2s_introut()); });
  rig.bench.run(100);
  rig.check();
  REQUIRE(rig.mm2s_commands.count() == 1);
  CHECK(rig.mm2s_commands.items()[0].address == 0x1234);
  CHECK(rig.mm2s_commands.items()[0].bytes == 0x40);
  CHECK(rig.mm2s_commands.edges()[0] == 22);  // written at 20, popped and pushed on at 21
  CHECK(rig.host_answers.edges()[0] == 3);    // asked at 1, answered at 2
  for (std::size_t edge = 1; edge < lines.size(); ++edge) {
    INFO("edge " << edge);
    CHECK(lines[edge] == (edge >= 52 && edge <= 61));
  }
}

TEST_CASE("a channel stopped during a transfer halts when it completes and resets when nothing runs") {
  Rig rig;
  rig.write(1, kS2mmDmacr, kCrRunStop);
  rig.pl.add({true, kS2mmDa, 0x800}, 3);
  rig.pl.add({true, kS2mmLength, 128}, 4);
  rig.write(10, kS2mmDmacr, 0);
  rig.expect(11, kS2mmDmasr, 0);
  rig.expect(12, kS2mmDmacr, 0x0001'0002);
  rig.s2mm_dones.add({}, 20);
  rig.expect(21, kS2mmDmasr, kSrHalted | kSrIocIrq);
  rig.write(30, kS2mmDmacr, kCrRunStop);
  rig.pl.add({true, kS2mmLength, 64}, 31);
  rig.write(40, kMm2sDmacr, kCrReset);
  rig.expect(41, kMm2sDmacr, 0x0001'0006);  // waits for the other channel
  rig.s2mm_dones.add({}, 50);
  rig.expect(52, kMm2sDmacr, 0x0001'0002);
  rig.expect(53, kS2mmDmasr, kSrHalted);
  rig.expect(54, kS2mmDa, 0);
  rig.pl.add({false, kS2mmDmasr, 0}, 53);
  rig.bench.run(100);
  rig.check();
  REQUIRE(rig.s2mm_commands.count() == 2);
  CHECK(rig.s2mm_commands.items()[0].address == 0x800);
  CHECK(rig.s2mm_commands.edges()[0] == 6);
  CHECK(rig.pl_answers.items()[3].value == kSrHalted);
  CHECK(test::counter(rig.registers, "accesses") == static_cast<std::int64_t>(rig.host_count()) + 4);
}

TEST_CASE("LENGTH written while a transfer runs is a violation") {
  Rig rig;
  rig.write(1, kMm2sDmacr, kCrRunStop);
  rig.write(2, kMm2sLength, 64);
  rig.write(3, kMm2sLength, 64);
  REQUIRE_THROWS_AS(rig.bench.run(100), sim::Violation);
}

}  // namespace fansim::dma_registers_test
