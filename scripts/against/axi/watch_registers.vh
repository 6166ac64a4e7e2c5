// SPDX-License-Identifier: Apache-2.0
// These are the registers behind the ports of watch_ports.vh.
  reg resetn_q = 0;
  reg awvalid_q = 0, awready_q, awlock_q, wvalid_q = 0, wready_q, wlast_q, bvalid_q = 0, bready_q;
  reg arvalid_q = 0, arready_q, arlock_q, rvalid_q = 0, rready_q, rlast_q;
  reg [ID-1:0] awid_q, bid_q, arid_q, rid_q;
  reg [ADDRESS-1:0] awaddr_q, araddr_q;
  reg [7:0] awlen_q, arlen_q;
  reg [2:0] awsize_q, arsize_q, awprot_q, arprot_q;
  reg [3:0] awcache_q, arcache_q, awqos_q, arqos_q;
  reg [1:0] awburst_q, arburst_q, bresp_q, rresp_q;
  reg [DATA-1:0] wdata_q, rdata_q;
  reg [DATA/8-1:0] wstrb_q;
  always @(posedge clk) begin
    resetn_q <= resetn;
    {awvalid_q, awready_q, awid_q, awaddr_q, awlen_q, awsize_q, awburst_q, awlock_q, awcache_q, awprot_q, awqos_q} <=
      {awvalid, awready, awid, awaddr, awlen, awsize, awburst, awlock, awcache, awprot, awqos};
    {wvalid_q, wready_q, wdata_q, wstrb_q, wlast_q} <= {wvalid, wready, wdata, wstrb, wlast};
    {bvalid_q, bready_q, bid_q, bresp_q} <= {bvalid, bready, bid, bresp};
    {arvalid_q, arready_q, arid_q, araddr_q, arlen_q, arsize_q, arburst_q, arlock_q, arcache_q, arprot_q, arqos_q} <=
      {arvalid, arready, arid, araddr, arlen, arsize, arburst, arlock, arcache, arprot, arqos};
    {rvalid_q, rready_q, rid_q, rdata_q, rresp_q, rlast_q} <= {rvalid, rready, rid, rdata, rresp, rlast};
  end
