// SPDX-License-Identifier: Apache-2.0
// This file wraps verilog-axi's modules in the kit's bundles of pins.
#pragma once

#include "axi/pins/bundle.h"
#include "foreign.h"
#include "verilog_axi_models.h"

namespace against {

using namespace fansim;

// Lists the pins of a whole port in the order of axi::Axi4Pins; not all modules have qos.
#define AGAINST_AXI4(m, p, ARQOS, AWQOS)                                                                              \
  {                                                                                                                   \
    Pin((m).p##_arvalid), Pin((m).p##_arready), Pin((m).p##_arid), Pin((m).p##_araddr), Pin((m).p##_arlen),           \
        Pin((m).p##_arsize), Pin((m).p##_arburst), Pin((m).p##_arlock), Pin((m).p##_arcache), Pin((m).p##_arprot),    \
        ARQOS, Pin((m).p##_rvalid), Pin((m).p##_rready), Pin((m).p##_rid), Pin((m).p##_rdata), Pin((m).p##_rresp),    \
        Pin((m).p##_rlast), Pin((m).p##_awvalid), Pin((m).p##_awready), Pin((m).p##_awid), Pin((m).p##_awaddr),       \
        Pin((m).p##_awlen), Pin((m).p##_awsize), Pin((m).p##_awburst), Pin((m).p##_awlock), Pin((m).p##_awcache),     \
        Pin((m).p##_awprot), AWQOS, Pin((m).p##_wvalid), Pin((m).p##_wready), Pin((m).p##_wdata), Pin((m).p##_wstrb), \
        Pin((m).p##_wlast), Pin((m).p##_bvalid), Pin((m).p##_bready), Pin((m).p##_bid), Pin((m).p##_bresp)            \
  }

template <class Model>
class VerilogAxi : public Foreign<Model> {
 public:
  sc_core::sc_in<bool> rst{"rst"};

 protected:
  explicit VerilogAxi(const sc_core::sc_module_name& name) : Foreign<Model>(name) {
    this->clocked_by(Pin(this->model.clk));
    this->join_port(rst, Pin(this->model.rst));
  }
};

// C++ code provides its descriptors, one at a time for reads and for writes.
class AxiDma final : public VerilogAxi<axi_dma_32> {
 public:
  axi::Axi4Pins<axi::ManagerRole, axi::Widths<32>> m_axi{"m_axi_"};
  axi::StreamPins<axi::ManagerRole, 32> m_axis{"m_axis_"};
  axi::StreamPins<axi::SubordinateRole, 32> s_axis{"s_axis_"};
  bool reading = false, writing = false;  // until the status arrives
  int errors = 0;

  explicit AxiDma(const sc_core::sc_module_name& name) : VerilogAxi<axi_dma_32>(name) {
    join(m_axi, AGAINST_AXI4(model, m_axi, Pin(), Pin()));
    join(m_axis,
         {Pin(model.m_axis_read_data_tvalid), Pin(model.m_axis_read_data_tready), Pin(model.m_axis_read_data_tdata),
          Pin(model.m_axis_read_data_tkeep), Pin(model.m_axis_read_data_tlast)});
    join(s_axis,
         {Pin(model.s_axis_write_data_tvalid), Pin(model.s_axis_write_data_tready), Pin(model.s_axis_write_data_tdata),
          Pin(model.s_axis_write_data_tkeep), Pin(model.s_axis_write_data_tlast)});
    model.read_enable = model.write_enable = 1;
  }
  void read(std::uint32_t address, int length) { read_ = {true, address, length}, reading = true; }
  void write(std::uint32_t address, int length) { write_ = {true, address, length}, writing = true; }

 private:
  struct Order {
    bool offered = false;
    std::uint32_t address = 0;
    int length = 0;
  };

  void look() override {
    if (model.s_axis_read_desc_valid && model.s_axis_read_desc_ready) read_.offered = false;
    if (model.s_axis_write_desc_valid && model.s_axis_write_desc_ready) write_.offered = false;
    if (model.m_axis_read_desc_status_valid) {
      reading = false;
      errors += model.m_axis_read_desc_status_error != 0;
    }
    if (model.m_axis_write_desc_status_valid) {
      writing = false;
      errors += model.m_axis_write_desc_status_error != 0;
    }
  }
  void act() override {
    model.s_axis_read_desc_valid = read_.offered;
    model.s_axis_read_desc_addr = read_.address;
    model.s_axis_read_desc_len = static_cast<IData>(read_.length);
    model.s_axis_write_desc_valid = write_.offered;
    model.s_axis_write_desc_addr = write_.address;
    model.s_axis_write_desc_len = static_cast<IData>(write_.length);
  }

  Order read_, write_;
};

class AxiRam final : public VerilogAxi<axi_ram_32> {
 public:
  axi::Axi4Pins<axi::SubordinateRole, axi::Widths<32>> s_axi{"s_axi_"};

  explicit AxiRam(const sc_core::sc_module_name& name) : VerilogAxi<axi_ram_32>(name) {
    join(s_axi, AGAINST_AXI4(model, s_axi, Pin(), Pin()));
  }
};

class AxiAdapter final : public VerilogAxi<axi_adapter_32_128> {
 public:
  axi::Axi4Pins<axi::SubordinateRole, axi::Widths<32>> s_axi{"s_axi_"};
  axi::Axi4Pins<axi::ManagerRole, axi::Widths<128>> m_axi{"m_axi_"};

  explicit AxiAdapter(const sc_core::sc_module_name& name) : VerilogAxi<axi_adapter_32_128>(name) {
    join(s_axi, AGAINST_AXI4(model, s_axi, Pin(model.s_axi_arqos), Pin(model.s_axi_awqos)));
    join(m_axi, AGAINST_AXI4(model, m_axi, Pin(model.m_axi_arqos), Pin(model.m_axi_awqos)));
  }
};

// Has two managers and one subordinate; only the first manager's port is used.
class AxiCrossbar final : public VerilogAxi<axi_crossbar_2x1> {
 public:
  axi::Axi4Pins<axi::SubordinateRole, axi::Widths<32>> s_axi{"s_axi_"};
  axi::Axi4Pins<axi::ManagerRole, axi::Widths<32>> m_axi{"m_axi_"};

  explicit AxiCrossbar(const sc_core::sc_module_name& name) : VerilogAxi<axi_crossbar_2x1>(name) {
    std::vector<Pin> both = AGAINST_AXI4(model, s_axi, Pin(model.s_axi_arqos), Pin(model.s_axi_awqos));
    const std::vector<int> address{1, 1, 7, 32, 8, 3, 2, 1, 4, 3, 4}, read{1, 1, 7, 32, 2, 1}, data{1, 1, 32, 4, 1},
        response{1, 1, 7, 2};
    auto pin = both.begin();
    for (const auto* channel : {&address, &read, &address, &data, &response})
      for (const int bits : *channel) {
        *pin = pin->slice(0, bits);
        ++pin;
      }
    join(s_axi, both);
    join(m_axi, AGAINST_AXI4(model, m_axi, Pin(model.m_axi_arqos), Pin(model.m_axi_awqos)));
  }
};

#undef AGAINST_AXI4

}  // namespace against
