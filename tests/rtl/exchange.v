// SPDX-License-Identifier: Apache-2.0
// Compare and exchange of LANES pairs of values on one slice: it subtracts `a` from `b`, the sign switches two
// multiplexers, three edges in all. `least` is the smaller of them, or with `backwards` the larger.
module exchange #(
    parameter LANES = 4,
    parameter BITS = 8
) (
    input  wire                  clk,
    input  wire                  is_signed,
    input  wire                  backwards,
    input  wire [LANES*BITS-1:0] a,
    input  wire [LANES*BITS-1:0] b,
    output wire [LANES*BITS-1:0] least,
    output wire [LANES*BITS-1:0] most
);
  localparam LANE = 48 / LANES;
  wire [47:0] subtrahend, minuend, difference;
  simd_slice #(
      .FOUR12(LANES == 4 ? 1 : 0)
  ) subtraction (
      .clk(clk),
      .alumode(4'b0011),
      .opmode(9'b000110011),
      .ab(subtrahend),
      .c(minuend),
      .p(difference)
  );
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lane
      wire [BITS-1:0] first = a[l*BITS+:BITS];
      wire [BITS-1:0] second = b[l*BITS+:BITS];
      assign subtrahend[l*LANE+:LANE] = {{(LANE - BITS) {first[BITS-1] && is_signed}}, first};
      assign minuend[l*LANE+:LANE] = {{(LANE - BITS) {second[BITS-1] && is_signed}}, second};
      wire exchanged = difference[l*LANE+LANE-1] ^ backwards;
      reg [BITS-1:0] first_1, first_2, second_1, second_2, low, high;
      always @(posedge clk) begin
        {first_2, first_1} <= {first_1, first};
        {second_2, second_1} <= {second_1, second};
        low <= exchanged ? second_2 : first_2;
        high <= exchanged ? first_2 : second_2;
      end
      assign least[l*BITS+:BITS] = low;
      assign most[l*BITS+:BITS] = high;
    end
  endgenerate
endmodule
