// SPDX-License-Identifier: Apache-2.0
// What entered EDGES enabled edges ago; none: what enters.
module delay_line #(
    parameter WIDTH = 8,
    parameter EDGES = 1
) (
    input  wire             clk,
    input  wire             enable,
    input  wire [WIDTH-1:0] in,
    output wire [WIDTH-1:0] out
);
  generate
    if (EDGES == 0) begin : none
      assign out = in;
    end else begin : some
      reg [WIDTH-1:0] stage[0:EDGES-1];  // registers
      integer i;
      always @(posedge clk)
        if (enable) begin
          stage[0] <= in;
          for (i = 1; i < EDGES; i = i + 1) stage[i] <= stage[i-1];
        end
      assign out = stage[EDGES-1];
    end
  endgenerate
endmodule
