// SPDX-License-Identifier: Apache-2.0
#include "dma_script.h"
#include "sim/violation.h"

namespace fansim::dma_error_test {

using namespace contract::dma_map;
using test::DmaScript;

namespace {

constexpr std::uint32_t kRun = kCrRunStop | kCrIocIrqEnable | kCrErrIrqEnable;
constexpr std::uint32_t kWhole = kDescSof | kDescEof;

// The error a driver sees, that it halts the channel, and that a soft reset, and nothing less, clears it.
void check_error(DmaScript& dma, std::uint32_t half, std::uint32_t error) {
  const std::uint32_t dmacr = half + kMm2sDmacr, dmasr = half + kMm2sDmasr;
  (half == 0 ? dma.wait_mm2s() : dma.wait_s2mm()).read(dmasr);
  dma.write(dmasr, kSrIrqs).write(dmacr, kRun).read(dmasr).write(dmacr, kCrReset).at(2000).read(dmasr).read(dmacr);
  dma.run();
  const std::uint32_t mode = dma.config.dma.scatter_gather() ? kSrSgIncluded | 1U << kCrThresholdBit : 0;
  CHECK(dma.value("read", 0) == (mode | kSrHalted | error | kSrErrIrq));
  CHECK(dma.value("read", 1) == (mode | kSrHalted | error));
  CHECK(dma.value("read", 2) == (mode | kSrHalted));
  CHECK(dma.value("read", 3) == 0x0001'0002);
}

DmaScript direct() {
  DmaScript dma;
  dma.config.dma.mode = contract::DmaMode::direct;
  dma.config.memory.slave_error_page = 5;
  return dma;
}

// Makes a chain of one descriptor for either channel.
DmaScript chain(std::uint32_t half, std::uint32_t buffer, std::uint32_t control) {
  DmaScript dma;
  dma.config.memory.slave_error_page = 5;
  dma.descriptor(0x1000, 0x1040, buffer, control);
  dma.write(half + kMm2sCurdesc, 0x1000).write(half + kMm2sDmacr, kRun).write(half + kMm2sTaildesc, 0x1000);
  return dma;
}

}  // namespace

TEST_CASE("a read from nowhere is DMADecErr") {
  DmaScript dma = direct();
  dma.write(kMm2sDmacr, kRun).write(kMm2sSa, 0x1000'0000).write(kMm2sLength, 1000);
  check_error(dma, 0, kSrDmaDecErr);
  CHECK(dma.of("mm2s_tvalid").empty());
}

TEST_CASE("a read that its subordinate refuses half way is DMASlvErr and what came before has been streamed") {
  DmaScript dma = direct();
  dma.write(kMm2sDmacr, kRun).write(kMm2sSa, 0x4c00).write(kMm2sLength, 2048);
  check_error(dma, 0, kSrDmaSlvErr);
  CHECK(dma.of("mm2s_tvalid").size() == 1);
  CHECK(dma.of("mm2s_tlast").empty());
}

TEST_CASE("a write to nowhere is DMADecErr") {
  DmaScript dma = direct();
  dma.write(kS2mmDmacr, kRun).write(kS2mmDa, 0x1000'0000).write(kS2mmLength, 256).packet(256);
  check_error(dma, kHalf, kSrDmaDecErr);
}

TEST_CASE("a packet longer than LENGTH is DMAIntErr and a reset lets the next one through") {
  DmaScript dma = direct();
  dma.write(kS2mmDmacr, kRun).write(kS2mmDa, 0x8000).write(kS2mmLength, 100).packet(112).wait_s2mm().read(kS2mmDmasr);
  dma.write(kS2mmDmacr, kCrReset).read(kS2mmDmasr).write(kS2mmDmacr, kRun).write(kS2mmDa, 0x9000);
  dma.write(kS2mmLength, 256).packet(64).wait_s2mm().read(kS2mmDmasr).read(kS2mmLength).run();
  CHECK(dma.value("read", 0) == (kSrHalted | kSrDmaIntErr | kSrErrIrq));
  CHECK(dma.value("read", 1) == kSrHalted);
  CHECK(dma.value("read", 2) == (kSrIdle | kSrIocIrq));
  CHECK(dma.value("read", 3) == 64);
}

TEST_CASE("a reset ends a transfer whose packet never comes") {
  DmaScript dma = direct();
  dma.write(kS2mmDmacr, kRun).write(kS2mmDa, 0x8000).write(kS2mmLength, 100).packet(64 - 16).read(kS2mmDmasr);
  dma.at(200).write(kMm2sDmacr, kCrReset).at(300).read(kMm2sDmacr).read(kS2mmDmasr);
  dma.write(kS2mmDmacr, kRun).write(kS2mmDa, 0x9000).write(kS2mmLength, 100).packet(100).wait_s2mm().run();
  CHECK(dma.value("read", 1) == 0x0001'0002);
  CHECK(dma.value("read", 2) == kSrHalted);
}

TEST_CASE("a descriptor of no bytes is DMAIntErr") {
  DmaScript dma = chain(0, 0x8000, kWhole);
  check_error(dma, 0, kSrDmaIntErr);
}

TEST_CASE("a chain that loops without meeting its tail ends in SGIntErr at the first descriptor met again") {
  DmaScript dma;
  for (std::uint32_t i = 0; i < 8; ++i)
    dma.descriptor(0x1000 + i * 0x40, i == 7 ? 0x1000 : 0x1040 + i * 0x40, 0x8000, kWhole | 64);
  dma.write(kMm2sCurdesc, 0x1000).write(kMm2sDmacr, kCrRunStop | kCrErrIrqEnable).write(kMm2sTaildesc, 0x2000);
  dma.wait_mm2s().read(kMm2sDmasr).at(3000).read(kMm2sDmasr).run();
  CHECK((dma.value("read", 1) & (kSrErrors | kSrHalted)) == (kSrSgIntErr | kSrHalted));
  CHECK(dma.of("mm2s_tlast").size() == 7);  // the eighth was fetched, but not begun
}

TEST_CASE("a descriptor that lies nowhere is SGDecErr") {
  DmaScript dma;
  dma.write(kS2mmCurdesc, 0x2000'0000).write(kS2mmDmacr, kRun).write(kS2mmTaildesc, 0x2000'0000);
  check_error(dma, kHalf, kSrSgDecErr);
}

TEST_CASE("a descriptor that its subordinate refuses is SGSlvErr") {
  DmaScript dma;
  dma.config.memory.slave_error_page = 5;
  dma.write(kMm2sCurdesc, 0x5000).write(kMm2sDmacr, kRun).write(kMm2sTaildesc, 0x5000);
  check_error(dma, 0, kSrSgSlvErr);
}

TEST_CASE("a buffer beyond the memory is DMADecErr in register and descriptor") {
  DmaScript dma = chain(kHalf, 0x4000'0000, 512);
  dma.packet(300).wait_s2mm().peek(0x1000 + kDescStatus);
  check_error(dma, kHalf, kSrDmaDecErr);
  CHECK((dma.value("peek") >> 28) == (8 | kSrDmaDecErr >> 4));
}

TEST_CASE("a subordinate that never answers ends in the watchdog's message and is named by it") {
  DmaScript dma = direct();
  dma.config.memory.stuck_page = 6;
  dma.write(kMm2sDmacr, kRun).write(kMm2sSa, 0x6000).write(kMm2sLength, 64);
  REQUIRE_THROWS_WITH(dma.run(), Catch::Contains("nothing moved for 5000 cycles") &&
                                     Catch::Contains("bench.dma.mm2s waits for read data") &&
                                     Catch::Contains("bench.data waits for nobody: its stuck_page never answers"));
}

TEST_CASE("above 32 address bits the upper halves exist and writing TAILDESC_MSB starts") {
  DmaScript dma = direct();
  dma.config.dma.address_bits = 40;
  dma.write(kMm2sDmacr, kRun).write(kMm2sSa, 0x100).write(kMm2sSaMsb, 0xfff).read(kMm2sSaMsb).write(kMm2sLength, 64);
  dma.wait_mm2s().read(kMm2sDmasr).run();
  CHECK(dma.value("read", 0) == 0xff);
  CHECK(dma.value("mm2s_arvalid") > 0);
  CHECK(dma.of("mm2s_arvalid")[0].address == 0xff'0000'0100);
  CHECK((dma.value("read", 1) & kSrErrors) == kSrDmaDecErr);
}

TEST_CASE("a reset ends a chain that waits for its packet and leaves its descriptors alone and lets it start again") {
  DmaScript dma;
  for (std::uint32_t i = 0; i < 3; ++i) dma.descriptor(0x1000 + i * 0x40, 0x1040 + i * 0x40, 0x8000 + i * 0x100, 256);
  const auto start = [&] {
    dma.write(kS2mmCurdesc, 0x1000).write(kS2mmDmacr, kRun | 2U << kCrThresholdBit).write(kS2mmTaildesc, 0x1080);
  };
  start();
  dma.at(200).read(kS2mmDmasr).write(kS2mmDmacr, kCrReset).at(300).read(kS2mmDmasr).peek(0x1000 + kDescStatus);
  start();
  dma.packet(100).packet(256).packet(30).wait_s2mm().at(2000).read(kS2mmDmasr);
  dma.peek(0x1000 + kDescStatus).peek(0x1080 + kDescStatus).run();
  CHECK((dma.value("read", 0) & (kSrHalted | kSrIdle)) == 0);
  CHECK(dma.value("read", 1) == (kSrHalted | kSrSgIncluded | 1U << kCrThresholdBit));
  CHECK(dma.value("peek", 0) == 0);
  CHECK((dma.value("read", 2) & (kSrErrors | kSrIdle | kSrHalted)) == kSrIdle);
  CHECK(dma.value("peek", 1) == (kDescComplete | kDescSof | kDescEof | 100));
  CHECK(dma.value("peek", 2) == (kDescComplete | kDescSof | kDescEof | 30));
}

}  // namespace fansim::dma_error_test
