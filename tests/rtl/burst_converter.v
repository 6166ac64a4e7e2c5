// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// One address channel of the width converter: a burst of the manager's beats as one or several of at most
// BURST_BEATS of the subordinate's. fault 1: further parts of a split start where the first did.
module burst_converter #(
    parameter MANAGER_BYTES = 32,
    parameter SUBORDINATE_BYTES = 16,
    parameter BURST_BEATS = 256,
    parameter ADDRESS_BITS = 32
) (
    input clk,
    input rst,
    input [3:0] fault,
    input allow,

    input s_valid,
    output s_ready,
    input [ADDRESS_BITS-1:0] s_address,
    input [8:0] s_beats,
    input [7:0] s_id,
    output [12:0] s_parts,

    output m_valid,
    input m_ready,
    output m_full,
    output [ADDRESS_BITS-1:0] m_address,
    output [8:0] m_beats,
    output [7:0] m_id
);
  reg [15:0] left;
  reg [ADDRESS_BITS-1:0] address;
  reg [7:0] id;

  wire room;
  wire [8:0] part = left > BURST_BEATS ? BURST_BEATS : left;
  wire push = left != 0 && room;
  wire [15:0] rest = push ? left - part : left;
  assign s_ready = rest == 0 && allow;

  wire [15:0] total = ((s_address & (SUBORDINATE_BYTES - 1)) + s_beats * MANAGER_BYTES + SUBORDINATE_BYTES - 1) /
      SUBORDINATE_BYTES;
  assign s_parts = (total + BURST_BEATS - 1) / BURST_BEATS;

  always @(posedge clk)
    if (rst) left <= 0;
    else if (s_valid && s_ready) left <= total;
    else left <= rest;
  always @(posedge clk)
    if (s_valid && s_ready) begin
      address <= s_address & ~(SUBORDINATE_BYTES - 1);
      id <= s_id;
    end else if (push && fault != 1) address <= address + part * SUBORDINATE_BYTES;

  stream_register #(
      .WIDTH(ADDRESS_BITS + 17)
  ) m (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(push),
      .in_ready(room),
      .in_data({id, part, address}),
      .out_valid(m_valid),
      .out_ready(m_ready),
      .out_full(m_full),
      .out_data({m_id, m_beats, m_address})
  );
endmodule
