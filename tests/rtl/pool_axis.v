// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Where a coordinate that counts up from 0 lies among pooling windows [i * stride - margin, ... + kernel): the first
// window that has not closed, whether it covers the coordinate, whether it closes there, and likewise the one after it.
module pool_axis (
    input clk,
    input take,  // the coordinate is used at this edge
    input [14:0] at,  // that of the last one used, one more, or 0
    input [6:0] kernel,
    input [6:0] stride,
    input [6:0] margin,
    output [13:0] window,
    output signed [15:0] start
);
  reg [14:0] at_before;
  reg [13:0] window_before;
  reg signed [15:0] start_before;
  wire signed [15:0] here = {1'b0, at};
  wire closed = at != at_before && start_before + $signed({1'b0, kernel}) <= here;

  assign window = at == 0 ? 14'd0 : window_before + closed;
  assign start = at == 0 ? -$signed({1'b0, margin}) : closed ? start_before + $signed({1'b0, stride}) : start_before;

  always @(posedge clk)
    if (take) begin
      at_before <= at;
      window_before <= window;
      start_before <= start;
    end
endmodule
