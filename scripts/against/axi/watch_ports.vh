// SPDX-License-Identifier: Apache-2.0
// These are the ports of a watched AXI4 interface, with registers behind them (`name` + _q). The registers make wires
// and clock change at the same instant for the properties, whenever the bench sets the wires.
  input clk, input resetn,
  input awvalid, input awready, input [ID-1:0] awid, input [ADDRESS-1:0] awaddr, input [7:0] awlen, input [2:0] awsize,
  input [1:0] awburst, input awlock, input [3:0] awcache, input [2:0] awprot, input [3:0] awqos,
  input wvalid, input wready, input [DATA-1:0] wdata, input [DATA/8-1:0] wstrb, input wlast,
  input bvalid, input bready, input [ID-1:0] bid, input [1:0] bresp,
  input arvalid, input arready, input [ID-1:0] arid, input [ADDRESS-1:0] araddr, input [7:0] arlen, input [2:0] arsize,
  input [1:0] arburst, input arlock, input [3:0] arcache, input [2:0] arprot, input [3:0] arqos,
  input rvalid, input rready, input [ID-1:0] rid, input [DATA-1:0] rdata, input [1:0] rresp, input rlast
