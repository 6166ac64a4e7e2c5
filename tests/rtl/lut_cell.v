// SPDX-License-Identifier: Apache-2.0
// One product of the MAC array in LUTs: operands, sums of pairs of rows, product, one register each. The weight enters with
// `load`.
module lut_cell (
    input  wire        clk,
    input  wire        enable,
    input  wire        load,
    input  wire [ 8:0] activation,
    input  wire [ 7:0] weight,
    output reg  [15:0] product
);
  reg [8:0] x;
  reg [7:0] w;
  reg [11:0] pair0, pair1, pair2, pair3;
  wire [11:0] once = {{3{x[8]}}, x};
  wire [11:0] twice = {once[10:0], 1'b0};
  wire [15:0] low = {{4{pair0[11]}}, pair0} + {{2{pair1[11]}}, pair1, 2'd0};
  wire [15:0] high = {{4{pair2[11]}}, pair2} + {{2{pair3[11]}}, pair3, 2'd0};
  always @(posedge clk) begin
    if (load) w <= weight;
    if (enable) begin
      x <= activation;
      pair0 <= (once & {12{w[0]}}) + (twice & {12{w[1]}});
      pair1 <= (once & {12{w[2]}}) + (twice & {12{w[3]}});
      pair2 <= (once & {12{w[4]}}) + (twice & {12{w[5]}});
      pair3 <= (once & {12{w[6]}}) - (twice & {12{w[7]}});  // the weight's sign bit
      product <= low + {high[11:0], 4'd0};
    end
  end
endmodule
