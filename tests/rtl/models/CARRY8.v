// SPDX-License-Identifier: Apache-2.0
// CARRY8 (UG974), for simulators; synthesis has a primitive of this name.
module CARRY8 #(
    parameter CARRY_TYPE = "SINGLE_CY8"
) (
    input  wire       CI,
    input  wire       CI_TOP,
    input  wire [7:0] DI,
    input  wire [7:0] S,
    output wire [7:0] CO,
    output wire [7:0] O
);
  reg [7:0] co, o;
  reg carry;
  integer i;
  always @(*) begin
    carry = CI;
    for (i = 0; i < 8; i = i + 1) begin
      if (i == 4 && CARRY_TYPE == "DUAL_CY4") carry = CI_TOP;
      o[i] = S[i] ^ carry;
      carry = S[i] ? carry : DI[i];
      co[i] = carry;
    end
  end
  assign CO = co;
  assign O  = o;
endmodule
