// SPDX-License-Identifier: Apache-2.0
// The kernels of an array (mac_array), the compressors of their entries and the sum of the tap rows (adder_tree).
// `fault`: 1 takes a window during its set's reload, 2 does not hold the tables' stages while they are full, 3 takes the
// other set of tables at every window, 4 reloads the tables of unsigned activations as those of signed ones, 5 does not
// hold the compressors' stages while `sums` is full, 6 sums all rows whatever job_parallel, 7 leaves the kernels' constant
// out, 8 loses the highest bit of their counters.
`include "tag.vh"
module kernel_array #(
    parameter ROWS = 3,
    parameter COLS = 3,
    parameter INPUT_CHANNELS = 8,
    parameter OUTPUT_CHANNELS = 8,
    parameter SHADOW = 1,
    parameter FAITHFUL = 0,
    parameter SLICE_BITS = 4,
    parameter SUM_BITS = 16 + $clog2(COLS * INPUT_CHANNELS + 1) + $clog2(ROWS)
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire       job_input_unsigned,
    input wire [3:0] job_parallel,
    input wire [7:0] job_kernel,

    input  wire                                 windows_valid,
    output wire                                 windows_ready,
    input  wire [                `TAG_BITS-1:0] windows_tag,
    input  wire [COLS*ROWS*INPUT_CHANNELS*8-1:0] windows_taps,

    input  wire                                            weights_valid,
    output wire                                            weights_ready,
    input  wire [OUTPUT_CHANNELS*ROWS*INPUT_CHANNELS*8-1:0] weights_bytes,

    output wire                                     sums_valid,
    input  wire                                     sums_ready,
    output wire                                     sums_full,
    output wire [                    `TAG_BITS-1:0] sums_tag,
    output wire [ROWS*OUTPUT_CHANNELS*SUM_BITS-1:0] sums_values
);
  localparam TERM_BITS = (7 + SLICE_BITS) / SLICE_BITS * (8 + SLICE_BITS);

  wire entries_valid, entries_ready;
  wire [`TAG_BITS-1:0] entries_tag;
  wire [OUTPUT_CHANNELS*ROWS*COLS*INPUT_CHANNELS*TERM_BITS-1:0] entries;
  mac_array #(
      .ROWS(ROWS),
      .COLS(COLS),
      .INPUT_CHANNELS(INPUT_CHANNELS),
      .OUTPUT_CHANNELS(OUTPUT_CHANNELS),
      .MULTIPLIER(5),
      .SHADOW(SHADOW),
      .SLICE_BITS(SLICE_BITS),
      .FAITHFUL(FAITHFUL)
  ) tables (
      .clk(clk),
      .rst(rst),
      .fault(fault == 4'd1 ? 4'd1 : fault == 4'd2 ? 4'd3 : fault == 4'd3 ? 4'd4 : fault == 4'd4 ? 4'd6 : 4'd0),
      .job_input_unsigned(job_input_unsigned),
      .windows_valid(windows_valid),
      .windows_ready(windows_ready),
      .windows_tag(windows_tag),
      .windows_taps(windows_taps),
      .weights_valid(weights_valid),
      .weights_ready(weights_ready),
      .weights_bytes(weights_bytes),
      .products_valid(entries_valid),
      .products_ready(entries_ready),
      .products_full(),
      .products_tag(entries_tag),
      .products_values(entries)
  );
  adder_tree #(
      .ROWS(ROWS),
      .COLS(COLS),
      .INPUT_CHANNELS(INPUT_CHANNELS),
      .OUTPUT_CHANNELS(OUTPUT_CHANNELS),
      .KERNELS(1),
      .SLICE_BITS(SLICE_BITS),
      .FAITHFUL(FAITHFUL),
      .SUM_BITS(SUM_BITS)
  ) tree (
      .clk(clk),
      .rst(rst),
      .fault(fault == 4'd5 ? 4'd1 : fault == 4'd6 ? 4'd2 : fault == 4'd7 ? 4'd4 : fault == 4'd8 ? 4'd5 : 4'd0),
      .job_parallel(job_parallel),
      .job_kernel(job_kernel),
      .products_valid(entries_valid),
      .products_ready(entries_ready),
      .products_tag(entries_tag),
      .products_values(entries),
      .sums_valid(sums_valid),
      .sums_ready(sums_ready),
      .sums_full(sums_full),
      .sums_tag(sums_tag),
      .sums_values(sums_values)
  );
endmodule
