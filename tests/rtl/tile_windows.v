// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// What `count` windows from `first` on cover of a map.
module tile_windows (
    input [15:0] first,
    input [15:0] count,
    input [15:0] kernel,
    input [15:0] stride,
    input [15:0] padding,
    input [15:0] extent,
    output [15:0] from,
    output [15:0] size
);
  wire signed [33:0] begins = $signed({2'b0, first * {16'd0, stride}}) - $signed({18'd0, padding});
  wire signed [33:0] last_begins = $signed({2'b0, (first + count - 32'd1) * {16'd0, stride}}) - $signed({18'd0, padding});
  wire signed [33:0] ends = last_begins + $signed({18'd0, kernel});
  wire signed [33:0] end_of_map = {18'd0, extent};
  wire signed [33:0] low = begins < 0 ? 0 : begins >= end_of_map ? end_of_map - 1 : begins;
  wire signed [33:0] high = ends < end_of_map ? ends : end_of_map;
  assign from = low[15:0];
  assign size = high > low ? high - low : 1;
endmodule
