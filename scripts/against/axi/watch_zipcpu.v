// SPDX-License-Identifier: Apache-2.0
// Checks an AXI4 interface with ZipCPU's properties of a subordinate; Verilator treats their assumptions as assertions.
// There is no limit to stalls, because no standard sets one.
module watch_zipcpu #(parameter DATA = 128, ADDRESS = 40, ID = 8) (
`include "watch_ports.vh"
);
`include "watch_registers.vh"
  faxi_slave #(.C_AXI_ID_WIDTH(ID), .C_AXI_DATA_WIDTH(DATA), .C_AXI_ADDR_WIDTH(ADDRESS), .OPT_EXCLUSIVE(0),
               .F_LGDEPTH(14), .F_AXI_MAXSTALL(0), .F_AXI_MAXRSTALL(0), .F_AXI_MAXDELAY(0)) properties (
    .i_clk(clk), .i_axi_reset_n(resetn_q),
    .i_axi_awvalid(awvalid_q), .i_axi_awready(awready_q), .i_axi_awid(awid_q), .i_axi_awaddr(awaddr_q),
    .i_axi_awlen(awlen_q), .i_axi_awsize(awsize_q), .i_axi_awburst(awburst_q), .i_axi_awlock(awlock_q),
    .i_axi_awcache(awcache_q), .i_axi_awprot(awprot_q), .i_axi_awqos(awqos_q),
    .i_axi_wvalid(wvalid_q), .i_axi_wready(wready_q), .i_axi_wdata(wdata_q), .i_axi_wstrb(wstrb_q), .i_axi_wlast(wlast_q),
    .i_axi_bvalid(bvalid_q), .i_axi_bready(bready_q), .i_axi_bid(bid_q), .i_axi_bresp(bresp_q),
    .i_axi_arvalid(arvalid_q), .i_axi_arready(arready_q), .i_axi_arid(arid_q), .i_axi_araddr(araddr_q),
    .i_axi_arlen(arlen_q), .i_axi_arsize(arsize_q), .i_axi_arburst(arburst_q), .i_axi_arlock(arlock_q),
    .i_axi_arcache(arcache_q), .i_axi_arprot(arprot_q), .i_axi_arqos(arqos_q),
    .i_axi_rvalid(rvalid_q), .i_axi_rready(rready_q), .i_axi_rid(rid_q), .i_axi_rdata(rdata_q), .i_axi_rresp(rresp_q),
    .i_axi_rlast(rlast_q));
endmodule
