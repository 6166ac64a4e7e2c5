// SPDX-License-Identifier: Apache-2.0
// What a carry chain needs to count six bits in two positions: their parity with the sixth bit as DI, then whether the
// first five hold two or three (the carry goes on) or four or five (it is 1).
module counter_six (
    input  wire [5:0] bits,
    output wire [1:0] s,
    output wire [1:0] di
);
  LUT6_2 #(
      .INIT(64'h6996966996696996)
  ) parity (
      .I0(bits[0]),
      .I1(bits[1]),
      .I2(bits[2]),
      .I3(bits[3]),
      .I4(bits[4]),
      .I5(bits[5]),
      .O5(),
      .O6(s[0])
  );
  LUT6_2 #(
      .INIT(64'h177e7ee8e8808000)
  ) pairs (
      .I0(bits[0]),
      .I1(bits[1]),
      .I2(bits[2]),
      .I3(bits[3]),
      .I4(bits[4]),
      .I5(1'b1),
      .O5(di[1]),
      .O6(s[1])
  );
  assign di[0] = bits[5];
endmodule
