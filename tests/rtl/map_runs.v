// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// The runs that hold a region of some channels of a map, [channel][row][column]; what lies side by side in memory is one
// run: rows of a plane, planes of a block. The map lies in blocks of channels, planes and rows as far apart as `plane`
// and `row` values. The region, its levels held from `start` until its last run, is that of the job; a run is there at
// the edge of `start` and until `next`.
module map_runs #(
    parameter PER_BEAT = 4,
    parameter BEAT_BYTES = 4
) (
    input clk,
    input rst,
    input [31:0] address,
    input [15:0] block_channels,
    input [30:0] block_bytes,
    input [30:0] plane,
    input [15:0] row,
    input [16:0] first,  // channel of the map
    input [16:0] channels,
    input [15:0] top,
    input [15:0] left,
    input [15:0] rows,
    input [15:0] columns,
    input next,
    output [31:0] run_address,
    output [31:0] run_beats,
    output [15:0] run_skip,
    output [31:0] run_values,
    output run_last
);
  reg [16:0] done;  // channels
  reg [15:0] at;  // row of the region
  wire [17:0] channel = first + done;
  wire [17:0] in_block = channel % block_channels;
  wire [31:0] block = address + channel / block_channels * block_bytes;
  wire [31:0] start = in_block * plane + (top + at) * row + left;

  wire whole_rows = columns == row;
  wire whole_planes = whole_rows && rows * row == plane;
  wire [17:0] of_block = block_channels - in_block, to_come = channels - done;
  wire [17:0] together = whole_planes ? (of_block < to_come ? of_block : to_come) : 1;
  wire plane_ends = whole_rows || at + 1 == rows;
  assign run_values = whole_rows ? together * rows * columns : columns;
  assign run_last = plane_ends && done + together == channels;
  assign run_skip = start % PER_BEAT;
  assign run_address = block + start / PER_BEAT * BEAT_BYTES;
  assign run_beats = (run_skip + run_values + PER_BEAT - 1) / PER_BEAT;
  always @(posedge clk)
    if (rst) {done, at} <= 0;
    else if (next) begin
      at <= plane_ends ? 0 : at + 1;
      done <= run_last ? 0 : plane_ends ? done + together : done;
    end
endmodule
