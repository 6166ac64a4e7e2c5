// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "axi/dma.h"
#include "axi/pins/adapters.h"
#include "axi/pins/lite.h"

namespace fansim::axi {

// The AXI DMA behind plain pins, for a test bench of the user's own. It steps at the rising edges of its clock domain,
// whose clk() is the bench's clock.
template <int Data>
class DmaPins final : public sc_core::sc_module {
 public:
  using W = Widths<Data>;

  LitePins<SubordinateRole> s_axi_lite{"s_axi_lite_"};
  ReadPins<ManagerRole, W> m_axi_mm2s{"m_axi_mm2s_"};
  WritePins<ManagerRole, W> m_axi_s2mm{"m_axi_s2mm_"};
  StreamPins<ManagerRole, Data> m_axis_mm2s{"m_axis_mm2s_"};
  StreamPins<SubordinateRole, Data> s_axis_s2mm{"s_axis_s2mm_"};
  sc_core::sc_out<bool> mm2s_introut{"mm2s_introut"};
  sc_core::sc_out<bool> s2mm_introut{"s2mm_introut"};

  DmaPins(const sc_core::sc_module_name& name, const contract::DmaConfig& config, const contract::AxiConfig& axi)
      : sc_module(name), dma_("dma", config, axi), interrupts_("interrupts", *this) {
    if (axi.data_bits != Data) throw std::invalid_argument("DmaPins: data_bits is not the width of the pins");
    if (dma_.descriptors) throw std::invalid_argument("DmaPins: no pins for the descriptors' port; mode: direct");
    lite_.request(lite_request_);
    dma_.registers.host(lite_request_);
    lite_.response(lite_response_);
    dma_.registers.host_response(lite_response_);
    dma_.registers.pl(no_request_);
    dma_.registers.pl_response(no_response_);
    dma_.mm2s.ar(ar_);
    to_ar_.in(ar_);
    from_r_.out(r_);
    dma_.mm2s.r(r_);
    dma_.s2mm.aw(aw_);
    to_aw_.in(aw_);
    dma_.s2mm.w(w_);
    to_w_.in(w_);
    from_b_.out(b_);
    dma_.s2mm.b(b_);
    dma_.mm2s.m_axis(mm2s_);
    to_mm2s_.in(mm2s_);
    from_s2mm_.out(s2mm_);
    dma_.s2mm.s_axis(s2mm_);
  }

 private:
  class Interrupts final : public sim::PinModule {
   public:
    Interrupts(const sc_core::sc_module_name& name, DmaPins& dma) : PinModule(name), dma_(dma) {}

   private:
    void sample() override {}
    void drive() override {
      dma_.mm2s_introut.write(dma_.dma_.registers.mm2s_introut());
      dma_.s2mm_introut.write(dma_.dma_.registers.s2mm_introut());
    }
    DmaPins& dma_;
  };

  sim::Stream<LiteRequest> lite_request_{"lite_request"}, no_request_{"no_request"};
  sim::Stream<LiteResponse> lite_response_{"lite_response"}, no_response_{"no_response"};
  sim::Stream<ReadBurst> ar_{"ar_stream"};
  sim::Stream<ReadBeat> r_{"r_stream"};
  sim::Stream<WriteBurst> aw_{"aw_stream"};
  sim::Stream<WriteBeat> w_{"w_stream"};
  sim::Stream<WriteResponse> b_{"b_stream"};
  sim::Stream<StreamBeat> mm2s_{"mm2s_stream"}, s2mm_{"s2mm_stream"};

  Dma dma_;
  LiteFromPins<LitePins<SubordinateRole>> lite_{"lite", s_axi_lite};
  ToPins<ReadBurst, decltype(m_axi_mm2s.ar)> to_ar_{"to_ar", m_axi_mm2s.ar};
  FromPins<ReadBeat, decltype(m_axi_mm2s.r)> from_r_{"from_r", m_axi_mm2s.r};
  ToPins<WriteBurst, decltype(m_axi_s2mm.aw)> to_aw_{"to_aw", m_axi_s2mm.aw};
  ToPins<WriteBeat, decltype(m_axi_s2mm.w)> to_w_{"to_w", m_axi_s2mm.w};
  FromPins<WriteResponse, decltype(m_axi_s2mm.b)> from_b_{"from_b", m_axi_s2mm.b};
  ToPins<StreamBeat, decltype(m_axis_mm2s.t)> to_mm2s_{"to_mm2s", m_axis_mm2s.t};
  FromPins<StreamBeat, decltype(s_axis_s2mm.t)> from_s2mm_{"from_s2mm", s_axis_s2mm.t};
  Interrupts interrupts_;
};

}  // namespace fansim::axi
