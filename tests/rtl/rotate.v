// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Value i of `in` becomes value (i + amount) mod VALUES of `out`, in a stage per bit of the amount.
module rotate #(
    parameter VALUES = 4,
    parameter WIDTH = 8,
    parameter STAGES = $clog2(VALUES)
) (
    input [VALUES*WIDTH-1:0] in,
    input [STAGES:0] amount,  // below VALUES
    output reg [VALUES*WIDTH-1:0] out
);
  integer stage;
  always @* begin
    out = in;
    for (stage = 0; stage < STAGES; stage = stage + 1)
      if (amount[stage]) out = out << (WIDTH << stage) | out >> (VALUES * WIDTH - (WIDTH << stage));
  end
endmodule
