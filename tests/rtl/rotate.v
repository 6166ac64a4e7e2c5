// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
/* verilator lint_off UNOPTFLAT */
// Value i of `in` becomes value (i + amount) mod VALUES of `out`: a LUT per bit chooses among four for two bits of the
// amount, or between two for the last one.
module rotate #(
    parameter VALUES = 4,
    parameter WIDTH = 8,
    parameter BITS = $clog2(VALUES),
    parameter STAGES = (BITS + 1) / 2
) (
    input [VALUES*WIDTH-1:0] in,
    input [BITS:0] amount,  // below VALUES
    output [VALUES*WIDTH-1:0] out
);
  localparam TOTAL = VALUES * WIDTH;
  wire [(STAGES+1)*TOTAL-1:0] stages;
  assign stages[TOTAL-1:0] = in;
  assign out = stages[STAGES*TOTAL+:TOTAL];
  genvar stage, i;
  generate
    for (stage = 0; stage < STAGES; stage = stage + 1) begin : by
      localparam STEP = WIDTH << 2 * stage;
      wire [TOTAL-1:0] from = stages[stage*TOTAL+:TOTAL];
      wire high = 2 * stage + 1 < BITS && amount[2*stage+1];
      for (i = 0; i < TOTAL; i = i + 1) begin : bits
        LUT6_2 #(
            .INIT(64'hff00f0f0ccccaaaa)
        ) choose (
            .I0(from[i]),
            .I1(from[(i+4*TOTAL-STEP)%TOTAL]),
            .I2(2 * stage + 1 < BITS && from[(i+4*TOTAL-2*STEP)%TOTAL]),
            .I3(2 * stage + 1 < BITS && from[(i+4*TOTAL-3*STEP)%TOTAL]),
            .I4(amount[2*stage]),
            .I5(high),
            .O5(),
            .O6(stages[(stage+1)*TOTAL+i])
        );
      end
    end
  endgenerate
endmodule
