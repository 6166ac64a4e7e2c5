// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// The points of a convolution: output tiles, tiles of input channels, steps (kr, kc), points (r, c) of the tile's sums.
// Channel i of the point lies in the half at index + i * pitch, or outside the map.
module point_nest #(
    parameter TM = 4,
    parameter TN = 3
) (
    input clk,
    input rst,
    input [`JOB] job,
    input next,
    output [31:0] entry,
    output new_set,
    output first,
    output opens_inputs,
    output closes_inputs,
    output opens_sums,
    output closes_sums,
    output last,  // of the layer
    output [15:0] channels,
    output [31:0] index,
    output [31:0] pitch,
    output in_map
);
  wire [15:0] y, x, n;
  wire inputs_last;
  reg [15:0] kr, kc, r, c;
  reg [31:0] point;
  wire [15:0] rows, columns, row, column, in_row, in_column, in_rows, in_columns;
  tile_regions regions (
      .job, .y, .x, .rows(), .columns(), .sums_row(row), .sums_column(column), .sums_rows(rows), .sums_columns(columns),
      .in_row, .in_column, .in_rows, .in_columns
  );
  wire row_ends = c + 1 == columns;
  wire step_ends = row_ends && r + 1 == rows;
  wire kernel_row_ends = kc + 1 == job[`JOB_KERNEL];
  wire kernel_ends = kernel_row_ends && (job[`JOB_FC] || kr + 1 == job[`JOB_KERNEL]);
  wire tile_last;
  tile_walk walk (
      .clk, .rst, .job, .tm(16'(TM)), .tn(16'(TN)), .next(next && closes_inputs), .m(), .y, .x, .n, .inputs_last,
      .place_last(), .last(tile_last)
  );
  always @(posedge clk)
    if (rst) begin
      {kr, kc, r, c} <= 0;
      point <= 0;
    end else if (next) begin
      c <= row_ends ? 0 : c + 1;
      if (row_ends) r <= step_ends ? 0 : r + 1;
      point <= step_ends ? 0 : point + 1;
      if (step_ends) kc <= kernel_row_ends ? 0 : kc + 1;
      if (step_ends && kernel_row_ends) kr <= kernel_ends ? 0 : kr + 1;
    end

  wire starts_kernel = kr == 0 && kc == 0;
  assign entry = point;
  assign new_set = point == 0;
  assign first = starts_kernel && n == 0;
  assign opens_inputs = starts_kernel && point == 0;
  assign closes_inputs = kernel_ends && step_ends;
  assign opens_sums = opens_inputs && n == 0;
  assign closes_sums = closes_inputs && inputs_last;
  assign last = closes_inputs && tile_last;

  wire [15:0] padding = job[`JOB_FC] ? 0 : job[`JOB_PADDING];
  wire signed [33:0] at_y = $signed({2'd0, (row + r) * {16'd0, job[`JOB_STRIDE]}}) + $signed({18'd0, kr}) - $signed({18'd0, padding});
  wire signed [33:0] at_x = $signed({2'd0, (column + c) * {16'd0, job[`JOB_STRIDE]}}) + $signed({18'd0, kc}) - $signed({18'd0, padding});
  assign in_map = at_y >= 0 && at_y < $signed({18'd0, job[`JOB_HEIGHT]}) && at_x >= 0 && at_x < $signed({18'd0, job[`JOB_WIDTH]});
  assign index = (at_y[15:0] - in_row) * in_columns + at_x[15:0] - in_column;
  assign pitch = in_rows * {16'd0, in_columns};
  wire [15:0] left = job[`JOB_IN_CHANNELS] - n;
  assign channels = left < TN ? left : TN;
endmodule
