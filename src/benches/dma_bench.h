// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "axi/dma.h"
#include "axi/ram.h"
#include "benches/dma_config.h"
#include "benches/dma_driver.h"
#include "benches/packet_ends.h"
#include "sim/scheduler.h"

namespace fansim::benches {

class DmaMonitor;

// Contains an AXI DMA, its memory behind every memory port, a source and a sink at its streams, a driver at its
// registers, and a monitor that records what happens on its ports. Byte i of the memory is initially i mod 251.
class DmaBench final : public sc_core::sc_module {
 public:
  DmaBench(const sc_core::sc_module_name& name, const DmaBenchConfig& config, std::vector<DmaOp> ops);
  ~DmaBench() override;

  // Runs until the stimulus has been played and the DMA is quiet, or until a stop is requested. Throws sim::Violation
  // if something is stuck.
  void run(std::function<bool()> stop_requested = nullptr) {
    scheduler_.stop_requested = std::move(stop_requested);
    scheduler_.run();
  }
  // Throws UserError if the stimulus waits for something that cannot come.
  void refuse_vain_wait() const { driver_.refuse_vain_wait(); }
  // Returns the events in the order of their cycles.
  std::vector<DmaEvent> events() const;
  const std::vector<sim::Module*>& modules() const { return scheduler_.modules(); }
  const std::vector<std::uint8_t>& memory() const { return memory_; }

 private:
  void connect_registers();
  void connect_streams();
  void connect_memory();
  void connect_descriptors(const contract::RamConfig& config);

  sim::Scheduler scheduler_{"scheduler"};
  std::vector<std::uint8_t> memory_;
  std::vector<DmaEvent> events_;

  axi::Dma dma_;
  DmaDriver driver_;
  PacketSource source_;
  PacketSink sink_{"sink"};
  axi::Ram data_;
  std::unique_ptr<axi::Ram> descriptors_;
  std::unique_ptr<DmaMonitor> monitor_;

  sim::Stream<axi::LiteRequest> lite_{"lite"}, lite_pl_{"lite_pl"};
  sim::Stream<axi::LiteResponse> lite_response_{"lite_response"}, lite_pl_response_{"lite_pl_response"};
  sim::Stream<axi::StreamBeat> mm2s_{"m_axis_mm2s"}, s2mm_{"s_axis_s2mm"};
  sim::Stream<axi::ReadBurst> ar_{"m_axi_mm2s_ar"}, sg_ar_{"m_axi_sg_ar"};
  sim::Stream<axi::ReadBeat> r_{"m_axi_mm2s_r"}, sg_r_{"m_axi_sg_r"};
  sim::Stream<axi::WriteBurst> aw_{"m_axi_s2mm_aw"}, sg_aw_{"m_axi_sg_aw"};
  sim::Stream<axi::WriteBeat> w_{"m_axi_s2mm_w"}, sg_w_{"m_axi_sg_w"};
  sim::Stream<axi::WriteResponse> b_{"m_axi_s2mm_b"}, sg_b_{"m_axi_sg_b"};
};

}  // namespace fansim::benches
