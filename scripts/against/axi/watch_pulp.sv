// SPDX-License-Identifier: Apache-2.0
// An AXI4 interface under the assertions of pulp's AXI_BUS_DV.
module watch_pulp #(parameter DATA = 128, ADDRESS = 40, ID = 8) (
`include "watch_ports.vh"
);
`include "watch_registers.vh"
  AXI_BUS_DV #(.AXI_ADDR_WIDTH(ADDRESS), .AXI_DATA_WIDTH(DATA), .AXI_ID_WIDTH(ID), .AXI_USER_WIDTH(1)) bus (.clk_i(clk));
  assign bus.aw_valid = awvalid_q, bus.aw_ready = awready_q, bus.aw_id = awid_q, bus.aw_addr = awaddr_q,
         bus.aw_len = awlen_q, bus.aw_size = awsize_q, bus.aw_burst = awburst_q, bus.aw_lock = awlock_q,
         bus.aw_cache = awcache_q, bus.aw_prot = awprot_q, bus.aw_qos = awqos_q, bus.aw_region = 0, bus.aw_atop = 0,
         bus.aw_user = 0;
  assign bus.w_valid = wvalid_q, bus.w_ready = wready_q, bus.w_data = wdata_q, bus.w_strb = wstrb_q,
         bus.w_last = wlast_q, bus.w_user = 0;
  assign bus.b_valid = bvalid_q, bus.b_ready = bready_q, bus.b_id = bid_q, bus.b_resp = bresp_q, bus.b_user = 0;
  assign bus.ar_valid = arvalid_q, bus.ar_ready = arready_q, bus.ar_id = arid_q, bus.ar_addr = araddr_q,
         bus.ar_len = arlen_q, bus.ar_size = arsize_q, bus.ar_burst = arburst_q, bus.ar_lock = arlock_q,
         bus.ar_cache = arcache_q, bus.ar_prot = arprot_q, bus.ar_qos = arqos_q, bus.ar_region = 0, bus.ar_user = 0;
  assign bus.r_valid = rvalid_q, bus.r_ready = rready_q, bus.r_id = rid_q, bus.r_data = rdata_q, bus.r_resp = rresp_q,
         bus.r_last = rlast_q, bus.r_user = 0;
endmodule
