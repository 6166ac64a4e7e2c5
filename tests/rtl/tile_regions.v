// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// Computes for the output tile that begins at (y, x) its outputs, the sums that they need and the inputs for those.
module tile_regions (
    input [`JOB] job,
    input [15:0] y,
    input [15:0] x,
    output [15:0] rows,
    output [15:0] columns,
    output [15:0] sums_row,
    output [15:0] sums_column,
    output [15:0] sums_rows,
    output [15:0] sums_columns,
    output [15:0] in_row,
    output [15:0] in_column,
    output [15:0] in_rows,
    output [15:0] in_columns
);
  // A fully connected layer is a convolution over a map of one row.
  wire [15:0] padding = job[`JOB_FC] ? 0 : job[`JOB_PADDING];
  tile_axis vertical (
      .at(y), .tile(job[`JOB_TILE_ROWS]), .outputs(job[`JOB_OUT_ROWS]), .pools(job[`JOB_POOL]),
      .pool_kernel(job[`JOB_POOL_KERNEL]), .pool_stride(job[`JOB_POOL_STRIDE]), .pool_padding(job[`JOB_POOL_PADDING]),
      .kernel(job[`JOB_FC] ? 16'd1 : job[`JOB_KERNEL]), .stride(job[`JOB_STRIDE]), .padding(padding),
      .extent(job[`JOB_HEIGHT]), .count(rows), .sums_first(sums_row), .sums_count(sums_rows), .in_first(in_row),
      .in_count(in_rows)
  );
  tile_axis horizontal (
      .at(x), .tile(job[`JOB_TILE_COLUMNS]), .outputs(job[`JOB_OUT_COLUMNS]), .pools(job[`JOB_POOL]),
      .pool_kernel(job[`JOB_POOL_KERNEL]), .pool_stride(job[`JOB_POOL_STRIDE]), .pool_padding(job[`JOB_POOL_PADDING]),
      .kernel(job[`JOB_KERNEL]), .stride(job[`JOB_STRIDE]), .padding(padding), .extent(job[`JOB_WIDTH]),
      .count(columns), .sums_first(sums_column), .sums_count(sums_columns), .in_first(in_column), .in_count(in_columns)
  );
endmodule
