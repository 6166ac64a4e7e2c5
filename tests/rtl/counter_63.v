// SPDX-License-Identifier: Apache-2.0
// Six bits counted in two LUTs and a quarter of a CARRY8.
module counter_63 (
    input  wire [5:0] bits,
    output wire [2:0] count
);
  wire [1:0] s, di;
  wire [7:0] co, o;
  counter_six ones (
      .bits(bits),
      .s(s),
      .di(di)
  );
  CARRY8 #(
      .CARRY_TYPE("DUAL_CY4")
  ) chain (
      .CI(1'b0),
      .CI_TOP(1'b0),
      .DI({6'd0, di}),
      .S({6'd0, s}),
      .CO(co),
      .O(o)
  );
  assign count = {co[1], o[1:0]};
endmodule
