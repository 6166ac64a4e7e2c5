// SPDX-License-Identifier: Apache-2.0
// Two neighbouring bits of a table of 16 entries in a CFGLUT5, with I4 at 1: O6 the odd one, O5 the even one. With SHADOW
// there are two, and a LUT6_2 chooses the one that `select` names; `load` reloads the other one.
module table_pair #(
    parameter SHADOW = 1
) (
    input  wire       clk,
    input  wire       load,
    input  wire       cdi,
    input  wire       select,
    input  wire [3:0] address,
    output wire       odd,
    output wire       even
);
  wire [1:0] o6, o5;
  genvar bank;
  generate
    for (bank = 0; bank <= SHADOW; bank = bank + 1) begin : tables
      CFGLUT5 lut (
          .CLK(clk),
          .CE (load && (SHADOW == 0 || select != bank[0])),
          .CDI(cdi),
          .I0 (address[0]),
          .I1 (address[1]),
          .I2 (address[2]),
          .I3 (address[3]),
          .I4 (1'b1),
          .CDO(),
          .O5 (o5[bank]),
          .O6 (o6[bank])
      );
    end
    if (SHADOW == 1) begin : choice
      LUT6_2 #(
          .INIT(64'hccccaaaaff00f0f0)  // O6 = I4 ? I1 : I0, O5 = I4 ? I3 : I2
      ) multiplexers (
          .I0(o6[0]),
          .I1(o6[1]),
          .I2(o5[0]),
          .I3(o5[1]),
          .I4(select),
          .I5(1'b1),
          .O5(even),
          .O6(odd)
      );
    end else begin : direct
      assign o6[1] = 1'b0;
      assign o5[1] = 1'b0;
      assign odd  = o6[0];
      assign even = o5[0];
    end
  endgenerate
endmodule
