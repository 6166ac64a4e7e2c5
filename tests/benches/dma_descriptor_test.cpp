// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"
#include "dma_script.h"

namespace fansim::dma_descriptor_test {

using namespace contract::dma_map;
using test::DmaScript;

namespace {

constexpr std::uint32_t kRun = kCrRunStop | kCrIocIrqEnable | kCrErrIrqEnable;
constexpr std::uint32_t kWhole = kDescSof | kDescEof;

std::uint8_t pattern(std::int64_t i) { return benches::PacketSource::pattern(i); }

}  // namespace

TEST_CASE("a descriptor chain's latencies are the declared ones") {
  DmaScript dma;
  dma.config.dma.sg_start = 10;
  dma.config.dma.sg_command = 9;
  dma.config.dma.mm2s_start = 8;
  dma.descriptor(0x1000, 0x1040, 0x4000, kWhole | 256);
  dma.write(kMm2sCurdesc, 0x1000).write(kMm2sDmacr, kRun).write(kMm2sTaildesc, 0x1000).wait_mm2s().run();
  const sim::Edge tail = dma.cycle("write", 2);
  const sim::Edge fetch = dma.cycle("sg_arvalid");
  CHECK(fetch == tail + 10);
  // The burst is popped at +1, its words are pushed at +3 .. +10 and popped at +4 .. +11; 9 and 8 follow.
  CHECK(dma.cycle("mm2s_arvalid") == fetch + 11 + 9 + 8);
  CHECK(dma.cycle("mm2s_introut") > dma.cycle("sg_awvalid"));
}

TEST_CASE("the pieces of a packet make full beats whatever their lengths and addresses") {
  base::Random random(7);
  constexpr int bits = 128;
  DmaScript dma;
  dma.config.axi.data_bits = bits;
  // Three packets have four pieces each.
  std::uint32_t from = 0x8000, total = 0;
  std::vector<std::uint32_t> lengths;
  constexpr int kPieces = 12;
  for (std::uint32_t i = 0; i < kPieces; ++i) {
    const auto bytes = static_cast<std::uint32_t>(random.uniform(1, 300));
    const std::uint32_t at = 0x1000 + i * 0x40;
    dma.descriptor(at, at + 0x40, from, (i % 4 == 0 ? kDescSof : 0) | (i % 4 == 3 ? kDescEof : 0) | bytes);
    from += bytes + static_cast<std::uint32_t>(random.uniform(0, 40));
    total += bytes;
    lengths.push_back(bytes);
  }
  dma.write(kMm2sCurdesc, 0x1000).write(kMm2sDmacr, kRun | 3U << kCrThresholdBit);
  dma.write(kMm2sTaildesc, 0x1000 + (kPieces - 1) * 0x40).wait_mm2s().read(kMm2sDmasr).run();
  CHECK((dma.value("read") & (kSrErrors | kSrIdle)) == kSrIdle);
  CHECK(dma.counter("dma.mm2s", "bytes") == total);
  REQUIRE(dma.of("mm2s_tlast").size() == 3);
  for (std::size_t p = 0; p < 3; ++p)
    CHECK(dma.value("mm2s_tlast", p) == lengths[4 * p] + lengths[4 * p + 1] + lengths[4 * p + 2] + lengths[4 * p + 3]);
  // There is no gap inside a packet: all its beats but the last are full.
  std::int64_t beats = 0;
  for (std::size_t p = 0; p < 3; ++p)
    beats +=
        static_cast<std::int64_t>(dma.value("mm2s_tlast", p) + static_cast<std::uint64_t>(bits / 8) - 1) / (bits / 8);
  CHECK(dma.counter("dma.mm2s", "beats") == beats);
}

TEST_CASE("a longer packet runs through its buffers while a shorter one ends one early and status words say so") {
  DmaScript dma;
  dma.config.axi.data_bits = 64;
  const std::uint32_t sizes[] = {100, 37, 5, 200};
  const std::uint32_t buffers[] = {0x8003, 0x9000, 0xa001, 0xb007};
  for (std::uint32_t i = 0; i < 4; ++i)
    dma.descriptor(0x1000 + i * 0x40, 0x1000 + (i + 1) * 0x40, buffers[i], sizes[i]);
  dma.write(kS2mmCurdesc, 0x1000).write(kS2mmDmacr, kRun | 2U << kCrThresholdBit).write(kS2mmTaildesc, 0x10c0);
  dma.packet(140).packet(77).wait_s2mm();
  for (std::uint32_t i = 0; i < 4; ++i) dma.peek(0x1000 + i * 0x40 + kDescStatus);
  dma.read(kS2mmDmasr).read(kS2mmCurdesc).run();
  CHECK(dma.value("peek", 0) == (kDescComplete | kDescSof | 100));
  CHECK(dma.value("peek", 1) == (kDescComplete | 37));
  CHECK(dma.value("peek", 2) == (kDescComplete | kDescEof | 3));
  CHECK(dma.value("peek", 3) == (kDescComplete | kWhole | 77));
  CHECK(dma.value("read", 1) == 0x10c0);
  std::int64_t sent = 0;
  const std::uint32_t received[] = {100, 37, 3, 77};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::uint32_t k = 0; k < received[i]; ++k) {
      INFO("buffer " << i << " byte " << k);
      REQUIRE(dma.bench->memory()[buffers[i] + k] == pattern(sent++));
    }
  // Nothing beside the buffers was touched.
  CHECK(dma.bench->memory()[0x8002] == pattern(0x8002));
  CHECK(dma.bench->memory()[0x8003 + 100] == pattern(0x8003 + 100));
  CHECK(dma.bench->memory()[0xa001 + 3] == pattern(0xa001 + 3));
}

TEST_CASE("descriptors fetched ahead keep the stream at its declared rate") {
  DmaScript dma;
  constexpr std::uint32_t kCount = 20;
  for (std::uint32_t i = 0; i < kCount; ++i)
    dma.descriptor(0x1000 + i * 0x40, 0x1000 + (i + 1) * 0x40, 0x8000 + i * 4096, kWhole | 4096);
  dma.write(kMm2sCurdesc, 0x1000).write(kMm2sDmacr, kRun | kCount << kCrThresholdBit);
  dma.write(kMm2sTaildesc, 0x1000 + (kCount - 1) * 0x40).wait_mm2s().run();
  const auto first = dma.of("mm2s_tvalid");
  REQUIRE(first.size() == kCount);
  // 256 beats of 16 bytes. From the last to the next packet's first: its command is popped one edge later, its burst
  // pushed 7 after that, popped at +1, answered at +2, popped at +1 and streamed 6 later: 18.
  for (std::size_t i = 1; i < kCount; ++i) CHECK(first[i].cycle - first[i - 1].cycle == 255 + 18);
  CHECK(dma.counter("dma.descriptors", "fetched") == kCount);
  CHECK(dma.counter("dma.descriptors", "updated") == kCount);
}

TEST_CASE("interrupts come at the threshold's count of packets or when the delay timer says so") {
  DmaScript dma;
  for (std::uint32_t i = 0; i < 6; ++i) dma.descriptor(0x1000 + i * 0x40, 0x1000 + (i + 1) * 0x40, 0x8000, kWhole | 64);
  dma.write(kMm2sCurdesc, 0x1000);
  dma.write(kMm2sDmacr, kCrRunStop | kCrIocIrqEnable | kCrDlyIrqEnable | 4U << kCrThresholdBit | 2U << kCrDelayBit);
  dma.write(kMm2sTaildesc, 0x1140).wait_mm2s().read(kMm2sDmasr).write(kMm2sDmasr, kSrIocIrq);
  dma.wait_mm2s().read(kMm2sDmasr).write(kMm2sDmasr, kSrDlyIrq).read(kMm2sDmasr).run();
  CHECK((dma.value("read", 0) & kSrIrqs) == kSrIocIrq);
  CHECK((dma.value("read", 1) & kSrIrqs) == kSrDlyIrq);
  // Two of four packets were counted; the timeout reloads the count.
  CHECK((dma.value("read", 2) >> kCrThresholdBit & 0xff) == 4);
  CHECK((dma.value("read", 2) & kSrIrqs) == 0);
  // The last status write is answered some edges after it; the interrupt is 2 x 125 after the packet's end was counted.
  const auto updates = dma.of("sg_awvalid");
  const auto lines = dma.of("mm2s_introut");
  REQUIRE(updates.size() == 6);
  REQUIRE(lines.size() == 4);
  CHECK(lines[2].cycle - updates[5].cycle == 250 + 5);
}

TEST_CASE("the descriptor counted by hand in docs/timing.md") {
  DmaScript dma;
  dma.config.axi.data_bits = 32;
  dma.config.dma.mm2s_stream = 2;
  dma.descriptor(0x1000, 0x1040, 0x4000, kWhole | 64);
  dma.write(kMm2sCurdesc, 0x1000).write(kMm2sDmacr, kRun).write(kMm2sTaildesc, 0x1000).wait_mm2s().run();
  CHECK(dma.cycle("write", 2) == 6);
  CHECK(dma.cycle("sg_arvalid") == 16);
  CHECK(dma.cycle("mm2s_arvalid") == 44);
  CHECK(dma.cycle("mm2s_tvalid") == 50);
  CHECK(dma.cycle("mm2s_tlast") == 65);
  CHECK(dma.cycle("sg_awvalid") == 67);
  CHECK(dma.cycle("mm2s_introut") == 72);  // set at 72, high from 73 on
}

TEST_CASE("a cyclic chain runs until it is stopped and then completes what was begun") {
  DmaScript dma;
  dma.descriptor(0x1000, 0x1040, 0x8000, kWhole | 64).descriptor(0x1040, 0x1000, 0x9000, kWhole | 64);
  dma.write(kMm2sCurdesc, 0x1000).write(kMm2sDmacr, kCrRunStop | kCrCyclic).write(kMm2sTaildesc, 0x3fc0);
  dma.at(1000).read(kMm2sDmasr).write(kMm2sDmacr, 0).at(1200).read(kMm2sDmasr).peek(0x1000 + kDescStatus).run();
  CHECK((dma.value("read", 0) & (kSrHalted | kSrIdle | kSrErrors)) == 0);
  CHECK((dma.value("read", 1) & (kSrHalted | kSrErrors)) == kSrHalted);
  CHECK(dma.value("peek") == (kDescComplete | 64));
  CHECK(dma.of("mm2s_tlast").size() > 20);
  CHECK(dma.of("mm2s_tlast").size() == dma.of("mm2s_tvalid").size());
  CHECK(dma.of("mm2s_tlast").back().cycle < 1100);
}

TEST_CASE("a chain paused at its tail goes on behind it when the tail moves") {
  DmaScript dma;
  for (std::uint32_t i = 0; i < 4; ++i)
    dma.descriptor(0x1000 + i * 0x40, 0x1040 + i * 0x40, 0x8000 + i * 0x100, kWhole | 64);
  dma.write(kMm2sCurdesc, 0x1000).write(kMm2sDmacr, kRun).write(kMm2sTaildesc, 0x1040);
  dma.at(300).read(kMm2sDmasr).read(kMm2sCurdesc).write(kMm2sTaildesc, 0x10c0).at(600).read(kMm2sDmasr).run();
  CHECK((dma.value("read", 0) & kSrIdle) != 0);
  CHECK(dma.value("read", 1) == 0x1040);
  CHECK((dma.value("read", 2) & kSrIdle) != 0);
  const auto bursts = dma.of("mm2s_arvalid");
  REQUIRE(bursts.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(bursts[i].address == 0x8000 + i * 0x100);
}

}  // namespace fansim::dma_descriptor_test
