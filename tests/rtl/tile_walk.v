// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// The nest of tiles: output channels, rows, columns and, with INPUTS, input channels. Where the tile at hand begins;
// behind the last one it is the first again.
module tile_walk #(
    parameter INPUTS = 1
) (
    input clk,
    input rst,
    input [`JOB] job,
    input [15:0] tm,
    input [15:0] tn,
    input next,
    output reg [15:0] m,
    output reg [15:0] y,
    output reg [15:0] x,
    output reg [15:0] n,
    output inputs_last,  // of the output tile
    output place_last,  // of the output channels: their last tile, and its last input channels
    output last
);
  wire [16:0] next_n = n + tn, next_x = x + job[`JOB_TILE_COLUMNS], next_y = y + job[`JOB_TILE_ROWS], next_m = m + tm;
  assign inputs_last = INPUTS == 0 || next_n >= job[`JOB_IN_CHANNELS];
  wire x_last = next_x >= job[`JOB_OUT_COLUMNS];
  wire y_last = next_y >= job[`JOB_OUT_ROWS];
  assign place_last = inputs_last && x_last && y_last;
  assign last = place_last && next_m >= job[`JOB_OUT_CHANNELS];
  always @(posedge clk)
    if (rst) {m, y, x, n} <= 0;
    else if (next) begin
      n <= inputs_last ? 0 : next_n;
      if (inputs_last) x <= x_last ? 0 : next_x;
      if (inputs_last && x_last) y <= y_last ? 0 : next_y;
      if (place_last) m <= last ? 0 : next_m;
    end
endmodule
