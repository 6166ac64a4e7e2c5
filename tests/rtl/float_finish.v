// SPDX-License-Identifier: Apache-2.0
// Rounds a significand whose leading one is the highest bit of `normal` (0: the number is zero) and looks at the ends,
// docs/float.md. No register.
module float_finish #(
    parameter E = 8,
    parameter M = 23,
    parameter NEAREST = 0,
    parameter WIDTH = 48,
    parameter X = E + 8  // bits of the exponent before it ends, with its sign
) (
    input  wire             sign,
    input  wire signed [X-1:0] exponent,
    input  wire [WIDTH-1:0] normal,
    output wire [E+M:0]   word,
    output wire saturated,
    output wire underflowed
);
  localparam signed [X-1:0] MOST = {{X - E{1'b0}}, {E{1'b1}}};
  localparam signed [X-1:0] LEAST = 1;

  wire [WIDTH+1:0] padded = {normal, 2'd0};
  wire [M:0] kept = padded[WIDTH+1-:M+1];
  wire up = NEAREST == 1 && padded[WIDTH-M] && (kept[0] || |padded[WIDTH-M-1:0]);
  wire [M+1:0] rounded = {1'b0, kept} + {{M + 1{1'b0}}, up};
  wire signed [X-1:0] final_exponent = exponent + $signed({{X - 1{1'b0}}, rounded[M+1]});

  wire nonzero = normal[WIDTH-1];
  assign underflowed = nonzero && final_exponent < LEAST;
  assign saturated = nonzero && final_exponent > MOST;
  assign word = !nonzero || underflowed ? {E + M + 1{1'b0}} :
                saturated ? {sign, {E + M{1'b1}}} : {sign, final_exponent[E-1:0], rounded[M-1:0]};
endmodule
