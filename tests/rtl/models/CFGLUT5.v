// SPDX-License-Identifier: Apache-2.0
// CFGLUT5 (UG974), for simulators; synthesis has a primitive of this name. CDI enters at bit 0 while CE is 1.
module CFGLUT5 #(
    parameter [31:0] INIT = 32'h0
) (
    input  wire CLK,
    input  wire CE,
    input  wire CDI,
    input  wire I0,
    input  wire I1,
    input  wire I2,
    input  wire I3,
    input  wire I4,
    output wire CDO,
    output wire O5,
    output wire O6
);
  reg [31:0] bits = INIT;
  always @(posedge CLK) if (CE) bits <= {bits[30:0], CDI};
  assign CDO = bits[31];
  assign O5  = bits[{1'b0, I3, I2, I1, I0}];
  assign O6  = bits[{I4, I3, I2, I1, I0}];
endmodule
