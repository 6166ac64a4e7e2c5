// SPDX-License-Identifier: Apache-2.0
// LUT6_2 (UG974), for simulators; synthesis has a primitive of this name.
module LUT6_2 #(
    parameter [63:0] INIT = 64'h0
) (
    input  wire I0,
    input  wire I1,
    input  wire I2,
    input  wire I3,
    input  wire I4,
    input  wire I5,
    output wire O5,
    output wire O6
);
  wire [63:0] bits = INIT;
  assign O5 = bits[{1'b0, I4, I3, I2, I1, I0}];
  assign O6 = bits[{I5, I4, I3, I2, I1, I0}];
endmodule
