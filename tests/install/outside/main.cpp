// SPDX-License-Identifier: Apache-2.0
// A test bench of one's own: a driver on the AXI4-Lite pins programs fansim's AXI DMA, which copies a block through
// fansim's DDR. MM2S and S2MM are joined by wires; protocol checkers are clipped onto the memory ports.
#include <cstdio>
#include <systemc>

#include "axi/checker/checker.h"
#include "axi/pins/dma_pins.h"
#include "memory/pins/ddr_pins.h"
#include "sim/scheduler.h"

using namespace fansim;
namespace {

constexpr int kData = 64;
constexpr std::uint32_t kFrom = 0x1000, kTo = 0x8000, kBytes = 5000;

// Writes and reads registers over the pins, one clock edge at a time, as a processor's bus would.
SC_MODULE(Driver) {
  sc_core::sc_in<bool> clk{"clk"};
  axi::LitePins<axi::ManagerRole> bus;
  sc_core::sc_in<bool> done{"done"};
  sim::Scheduler* scheduler = nullptr;
  std::uint32_t status = 0;

  SC_CTOR(Driver) { SC_THREAD(run); }

  void edge() { wait(clk.posedge_event()); }
  void write(std::uint32_t address, std::uint32_t value) {
    bus.aw.payload.write(address);
    bus.w.payload.write(value);
    bus.wstrb.write(0xf);
    bus.aw.valid.write(true);
    bus.w.valid.write(true);
    bus.b.ready.write(true);
    bool address_open = true, data_open = true;
    do {
      edge();
      if (bus.aw.ready.read()) {
        address_open = false;
        bus.aw.valid.write(false);
      }
      if (bus.w.ready.read()) {
        data_open = false;
        bus.w.valid.write(false);
      }
    } while (address_open || data_open);
    while (!bus.b.valid.read()) edge();
    edge();
    bus.b.ready.write(false);
  }
  std::uint32_t read(std::uint32_t address) {
    bus.ar.payload.write(address);
    bus.ar.valid.write(true);
    bus.r.ready.write(true);
    do edge();
    while (!bus.ar.ready.read());
    bus.ar.valid.write(false);
    while (!bus.r.valid.read()) edge();
    const std::uint32_t value = bus.r.payload.read().to_uint();
    edge();
    bus.r.ready.write(false);
    return value;
  }
  void run() {
    edge();
    write(0x30, 0x1001);  // S2MM_DMACR: run, interrupt on completion
    write(0x00, 0x0001);  // MM2S_DMACR
    write(0x48, kTo);
    write(0x58, kBytes);
    write(0x18, kFrom);
    write(0x28, kBytes);
    while (!done.read()) edge();
    status = read(0x34);
    scheduler->finish();
  }
};

}  // namespace

int sc_main(int, char**) {
  using W = axi::Widths<kData>;
  contract::AxiConfig axi_config;
  axi_config.data_bits = kData;

  sim::Scheduler scheduler("scheduler");
  sim::ClockDomain& clock = scheduler.domain("pl", {100, 1});
  std::vector<std::uint8_t> memory(0x10000);
  for (std::uint32_t i = 0; i < kBytes; ++i) memory[kFrom + i] = static_cast<std::uint8_t>(i * 7 + i / 256);

  axi::DmaPins<kData> dma("dma", {}, axi_config);
  memory::DdrPins<kData> ddr("ddr", {}, axi_config, memory);
  Driver driver("driver");
  driver.scheduler = &scheduler;

  axi::WireBundle<axi::Axi4Pins<axi::WiresRole, W>> port("m_axi");
  axi::WireBundle<axi::LitePins<axi::WiresRole>> lite("s_axi_lite");
  axi::WireBundle<axi::StreamPins<axi::WiresRole, kData>> stream("axis");
  sc_core::sc_signal<bool> resetn("aresetn", true), mm2s_irq("mm2s_irq"), s2mm_irq("s2mm_irq");

  axi::bind(dma.m_axi_mm2s, port);
  axi::bind(dma.m_axi_s2mm, port);
  axi::bind(ddr.s_axi, port);
  axi::bind(dma.s_axi_lite, lite);
  axi::bind(driver.bus, lite);
  axi::bind(dma.m_axis_mm2s, stream);
  axi::bind(dma.s_axis_s2mm, stream);
  dma.mm2s_introut(mm2s_irq);
  dma.s2mm_introut(s2mm_irq);
  driver.clk(clock.clk());
  driver.done(s2mm_irq);

  axi::Axi4Checker<W> checker("checker", axi::CheckerConfig{kData});
  axi::LiteChecker lite_checker("lite_checker");
  checker.aclk(clock.clk());
  checker.aresetn(resetn);
  axi::bind(checker.pins, port);
  lite_checker.aclk(clock.clk());
  lite_checker.aresetn(resetn);
  axi::bind(lite_checker.pins, lite);

  scheduler.run();

  bool same = true;
  for (std::uint32_t i = 0; i < kBytes; ++i) same = same && ddr.ddr().data()[kTo + i] == memory[kFrom + i];
  std::printf("%s, status %#x, %lld beats checked, %zu findings\n", same ? "copied" : "NOT copied", driver.status,
              static_cast<long long>(checker.beats()), checker.findings().all().size());
  return same && checker.findings().all().empty() && checker.beats() > 0 ? 0 : 1;
}
