// SPDX-License-Identifier: Apache-2.0
// This file wraps ZipCPU's stream movers in the kit's bundles of pins.
#pragma once

#include "axi/pins/bundle.h"
#include "axi/pins/lite.h"
#include "foreign.h"

namespace against {

using namespace fansim;

// Both have the register port of the family, and an interrupt that the benches ignore.
template <class Model>
class Mover : public Foreign<Model> {
 public:
  sc_core::sc_in<bool> resetn{"resetn"};
  axi::LitePins<axi::SubordinateRole> s_axil{"s_axil_"};

 protected:
  explicit Mover(const sc_core::sc_module_name& name) : Foreign<Model>(name) {
    Model& m = this->model;
    this->clocked_by(Pin(m.S_AXI_ACLK));
    this->join_port(resetn, Pin(m.S_AXI_ARESETN));
    this->join(s_axil, {Pin(m.S_AXIL_AWVALID), Pin(m.S_AXIL_AWREADY), Pin(m.S_AXIL_AWADDR), Pin(m.S_AXIL_WVALID),
                        Pin(m.S_AXIL_WREADY), Pin(m.S_AXIL_WDATA), Pin(m.S_AXIL_WSTRB), Pin(m.S_AXIL_BVALID),
                        Pin(m.S_AXIL_BREADY), Pin(m.S_AXIL_BRESP), Pin(m.S_AXIL_ARVALID), Pin(m.S_AXIL_ARREADY),
                        Pin(m.S_AXIL_ARADDR), Pin(m.S_AXIL_RVALID), Pin(m.S_AXIL_RREADY), Pin(m.S_AXIL_RDATA),
                        Pin(m.S_AXIL_RRESP), Pin(m.S_AXIL_AWPROT), Pin(m.S_AXIL_ARPROT)});
  }
};

template <class Model, int Data>
class Aximm2s final : public Mover<Model> {
 public:
  axi::ReadPins<axi::ManagerRole, axi::Widths<Data>> m_axi{"m_axi_"};
  axi::StreamPins<axi::ManagerRole, Data> m_axis{"m_axis_"};

  explicit Aximm2s(const sc_core::sc_module_name& name) : Mover<Model>(name) {
    Model& m = this->model;
    this->join(m_axi,
               {Pin(m.M_AXI_ARVALID), Pin(m.M_AXI_ARREADY), Pin(m.M_AXI_ARID), Pin(m.M_AXI_ARADDR), Pin(m.M_AXI_ARLEN),
                Pin(m.M_AXI_ARSIZE), Pin(m.M_AXI_ARBURST), Pin(m.M_AXI_ARLOCK), Pin(m.M_AXI_ARCACHE),
                Pin(m.M_AXI_ARPROT), Pin(m.M_AXI_ARQOS), Pin(m.M_AXI_RVALID), Pin(m.M_AXI_RREADY), Pin(m.M_AXI_RID),
                Pin(m.M_AXI_RDATA), Pin(m.M_AXI_RRESP), Pin(m.M_AXI_RLAST)});
    this->join(m_axis, {Pin(m.M_AXIS_TVALID), Pin(m.M_AXIS_TREADY), Pin(m.M_AXIS_TDATA),
                        Pin::tied(axi::byte_mask(Data / 8)), Pin(m.M_AXIS_TLAST)});
  }
};

template <class Model, int Data>
class Axis2mm final : public Mover<Model> {
 public:
  axi::WritePins<axi::ManagerRole, axi::Widths<Data>> m_axi{"m_axi_"};
  axi::StreamPins<axi::SubordinateRole, Data> s_axis{"s_axis_"};

  explicit Axis2mm(const sc_core::sc_module_name& name) : Mover<Model>(name) {
    Model& m = this->model;
    this->join(m_axi, {Pin(m.M_AXI_AWVALID), Pin(m.M_AXI_AWREADY), Pin(m.M_AXI_AWID),    Pin(m.M_AXI_AWADDR),
                       Pin(m.M_AXI_AWLEN),   Pin(m.M_AXI_AWSIZE),  Pin(m.M_AXI_AWBURST), Pin(m.M_AXI_AWLOCK),
                       Pin(m.M_AXI_AWCACHE), Pin(m.M_AXI_AWPROT),  Pin(m.M_AXI_AWQOS),   Pin(m.M_AXI_WVALID),
                       Pin(m.M_AXI_WREADY),  Pin(m.M_AXI_WDATA),   Pin(m.M_AXI_WSTRB),   Pin(m.M_AXI_WLAST),
                       Pin(m.M_AXI_BVALID),  Pin(m.M_AXI_BREADY),  Pin(m.M_AXI_BID),     Pin(m.M_AXI_BRESP)});
    this->join(s_axis, {Pin(m.S_AXIS_TVALID), Pin(m.S_AXIS_TREADY), Pin(m.S_AXIS_TDATA), Pin(), Pin(m.S_AXIS_TLAST)});
  }
};

}  // namespace against
