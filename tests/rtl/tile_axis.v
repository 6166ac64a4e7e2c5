// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Along one axis: outputs of a tile that begins at `at`, the sums that they need and the inputs that those need, clipped
// to their maps. Of a border alone one value.
module tile_axis (
    input [15:0] at,
    input [15:0] tile,
    input [15:0] outputs,
    input pools,
    input [7:0] pool_kernel,
    input [7:0] pool_stride,
    input [7:0] pool_padding,
    input [15:0] kernel,
    input [15:0] stride,
    input [15:0] padding,
    input [15:0] extent,
    output [15:0] count,
    output [15:0] sums_first,
    output [15:0] sums_count,
    output [15:0] in_first,
    output [15:0] in_count
);
  wire [15:0] left = outputs - at;
  assign count = left < tile ? left : tile;
  wire [17:0] covered = extent + 2 * padding - kernel;
  wire [15:0] sums = pools ? covered / stride + 1 : outputs;
  wire [15:0] pooled_first, pooled_count;
  tile_windows pooling (
      .first(at), .count(count), .kernel({8'd0, pool_kernel}), .stride({8'd0, pool_stride}),
      .padding({8'd0, pool_padding}), .extent(sums), .from(pooled_first), .size(pooled_count)
  );
  assign sums_first = pools ? pooled_first : at;
  assign sums_count = pools ? pooled_count : count;
  tile_windows convolution (
      .first(sums_first), .count(sums_count), .kernel(kernel), .stride(stride), .padding(padding), .extent(extent),
      .from(in_first), .size(in_count)
  );
endmodule
