// SPDX-License-Identifier: Apache-2.0
// One bit of a table of 32 entries in a CFGLUT5. With SHADOW there are two, of which `select` names the one that is read;
// `load` reloads the other one.
module table_bit #(
    parameter SHADOW = 1
) (
    input  wire       clk,
    input  wire       load,
    input  wire       cdi,
    input  wire       select,
    input  wire [4:0] address,
    output wire       value
);
  wire [SHADOW:0] o6;
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
          .I4 (address[4]),
          .CDO(),
          .O5 (),
          .O6 (o6[bank])
      );
    end
  endgenerate
  assign value = select ? o6[SHADOW] : o6[0];
endmodule
