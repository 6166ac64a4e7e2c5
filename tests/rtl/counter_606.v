// SPDX-License-Identifier: Apache-2.0
// Six bits and six of four times their weight, counted in four LUTs and half a CARRY8.
module counter_606 (
    input  wire [5:0] low,
    input  wire [5:0] high,
    output wire [4:0] count
);
  wire [3:0] s, di;
  wire [7:0] co, o;
  counter_six ones (
      .bits(low),
      .s(s[1:0]),
      .di(di[1:0])
  );
  counter_six fours (
      .bits(high),
      .s(s[3:2]),
      .di(di[3:2])
  );
  CARRY8 #(
      .CARRY_TYPE("DUAL_CY4")
  ) chain (
      .CI(1'b0),
      .CI_TOP(1'b0),
      .DI({4'd0, di}),
      .S({4'd0, s}),
      .CO(co),
      .O(o)
  );
  assign count = {co[3], o[3:0]};
endmodule
