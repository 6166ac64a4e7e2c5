// SPDX-License-Identifier: Apache-2.0
// Three bits counted in one LUT.
module counter_32 (
    input  wire [2:0] bits,
    output wire [1:0] count
);
  LUT6_2 #(
      .INIT(64'h96969696e8e8e8e8)  // O6 their parity, O5 their majority
  ) lut (
      .I0(bits[0]),
      .I1(bits[1]),
      .I2(bits[2]),
      .I3(1'b0),
      .I4(1'b0),
      .I5(1'b1),
      .O5(count[1]),
      .O6(count[0])
  );
endmodule
