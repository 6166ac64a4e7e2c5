// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Pooling windows along one axis: window i covers [i * stride - margin, ... + kernel), clipped to `size` places. Which of
// them cover `at`, how many end there, and of each register that holds every OPEN-th window whether its window covers
// `at` and begins there.
module pool_cover #(
    parameter OPEN = 2
) (
    input [15:0] at,
    input [7:0] kernel,
    input [7:0] stride,
    input signed [33:0] margin,
    input [15:0] size,
    input [15:0] windows,
    output [15:0] first,
    output [15:0] closed,
    output [OPEN-1:0] covers,
    output [OPEN-1:0] opens
);
  wire signed [33:0] place = $signed({18'd0, at}) + margin;
  wire signed [33:0] wide = {26'd0, kernel}, step = {26'd0, stride};
  wire signed [33:0] behind = place - wide, end_of_map = $signed({18'd0, size}) - 1;
  wire signed [33:0] low = place >= wide ? behind / step + 1 : 0;
  wire signed [33:0] newest = place / step, most = $signed({18'd0, windows}) - 1;
  wire signed [33:0] high = newest < most ? newest : most;
  wire ends = low * step - margin + wide - 1 == {18'd0, at};
  assign first = low[15:0];
  assign closed = high < low ? 0 : {18'd0, at} == end_of_map ? high - low + 1 : ends;
  genvar p;
  generate
    for (p = 0; p < OPEN; p = p + 1) begin : slot
      wire signed [33:0] window = low + (p + OPEN - low % OPEN) % OPEN;
      wire signed [33:0] begins = window * step - margin;
      assign covers[p] = window <= high;
      assign opens[p] = $signed({18'd0, at}) == (begins < 0 ? 0 : begins);
    end
  endgenerate
endmodule
