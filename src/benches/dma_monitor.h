// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "axi/dma_registers.h"
#include "axi/types.h"
#include "benches/dma_driver.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::benches {

// Records what appears on the ports of an AXI DMA under the names of its pins. Each record has the edge of its push,
// from which on the valid signal is high.
class DmaMonitor final : public sim::Module {
 public:
  struct Ports {
    const sim::Stream<axi::ReadBurst>& mm2s_ar;
    const sim::Stream<axi::StreamBeat>& mm2s;
    const sim::Stream<axi::StreamBeat>& s2mm;
    const sim::Stream<axi::WriteBurst>& s2mm_aw;
    const sim::Stream<axi::WriteBeat>& s2mm_w;
    const sim::Stream<axi::ReadBurst>& sg_ar;
    const sim::Stream<axi::WriteBurst>& sg_aw;
  };
  DmaMonitor(const sc_core::sc_module_name& name, Ports ports, const axi::DmaRegisters& registers,
             std::vector<DmaEvent>& events)
      : Module(name), ports_(ports), registers_(registers), events_(events) {}

 private:
  // Holds a packet on a stream: the names of its events, and the bytes seen so far.
  struct Packet {
    const char* begins;
    const char* ends;
    std::int64_t seen = 0;
    std::uint64_t bytes = 0;
  };

  void step() override;
  void packet(const sim::Stream<axi::StreamBeat>& stream, Packet& packet);
  void line(const char* name, bool level, bool& last);
  void log(const char* what, std::uint64_t address, std::uint64_t value);
  template <class Burst>
  void burst(const char* name, const sim::Stream<Burst>& stream, std::int64_t& seen);

  const Ports ports_;
  const axi::DmaRegisters& registers_;
  std::vector<DmaEvent>& events_;
  Packet mm2s_{"mm2s_tvalid", "mm2s_tlast"};
  Packet s2mm_{"s2mm_tvalid", "s2mm_tlast"};
  std::int64_t mm2s_ar_ = 0, s2mm_aw_ = 0, s2mm_w_ = 0, sg_ar_ = 0, sg_aw_ = 0;
  bool mm2s_introut_ = false, s2mm_introut_ = false;
};

}  // namespace fansim::benches
