// SPDX-License-Identifier: Apache-2.0
// a + b + c modulo 2^WIDTH, one LUT per bit: O6 is the sum of the bit and of the carry that the LUT below saved, O5 the
// carry it saves itself.
module ternary_adder #(
    parameter WIDTH = 8
) (
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    input  wire [WIDTH-1:0] c,
    output wire [WIDTH-1:0] sum
);
  localparam CHAINS = (WIDTH + 7) / 8;
  wire [8*CHAINS-1:0] s, o;
  wire [8*CHAINS:0] saved;
  wire [8*CHAINS:0] carry;
  assign saved[0] = 1'b0;
  assign carry[0] = 1'b0;
  genvar i;
  generate
    for (i = 0; i < 8 * CHAINS; i = i + 1) begin : column
      if (i < WIDTH) begin : used
        LUT6_2 #(
            .INIT(64'h69966996e8e8e8e8)
        ) lut (
            .I0(a[i]),
            .I1(b[i]),
            .I2(c[i]),
            .I3(saved[i]),
            .I4(1'b0),
            .I5(1'b1),
            .O5(saved[i+1]),
            .O6(s[i])
        );
      end else begin : unused
        assign s[i] = 1'b0;
        assign saved[i+1] = 1'b0;
      end
    end
    for (i = 0; i < CHAINS; i = i + 1) begin : chain
      CARRY8 #(
          .CARRY_TYPE("SINGLE_CY8")
      ) eight (
          .CI(carry[8*i]),
          .CI_TOP(1'b0),
          .DI(saved[8*i+:8]),
          .S(s[8*i+:8]),
          .CO(carry[8*i+1+:8]),
          .O(o[8*i+:8])
      );
    end
  endgenerate
  assign sum = o[WIDTH-1:0];
endmodule
