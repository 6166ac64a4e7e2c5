// SPDX-License-Identifier: Apache-2.0
// Checks an AXI4-Lite interface with ZipCPU's properties of a subordinate, as watch_zipcpu.v does.
module watch_zipcpu_lite #(parameter DATA = 32, ADDRESS = 40, ID = 8) (
`include "watch_ports.vh"
);
`include "watch_registers.vh"
  faxil_slave #(.C_AXI_DATA_WIDTH(DATA), .C_AXI_ADDR_WIDTH(ADDRESS), .F_LGDEPTH(14), .F_AXI_MAXWAIT(0),
                .F_AXI_MAXRSTALL(0), .F_AXI_MAXDELAY(0)) properties (
    .i_clk(clk), .i_axi_reset_n(resetn_q),
    .i_axi_awvalid(awvalid_q), .i_axi_awready(awready_q), .i_axi_awaddr(awaddr_q), .i_axi_awprot(awprot_q),
    .i_axi_wvalid(wvalid_q), .i_axi_wready(wready_q), .i_axi_wdata(wdata_q), .i_axi_wstrb(wstrb_q),
    .i_axi_bvalid(bvalid_q), .i_axi_bready(bready_q), .i_axi_bresp(bresp_q),
    .i_axi_arvalid(arvalid_q), .i_axi_arready(arready_q), .i_axi_araddr(araddr_q), .i_axi_arprot(arprot_q),
    .i_axi_rvalid(rvalid_q), .i_axi_rready(rready_q), .i_axi_rdata(rdata_q), .i_axi_rresp(rresp_q));
endmodule
