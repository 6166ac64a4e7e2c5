// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// An engine: walker, feeder and MACs with their sums, and its input store.
// fault 1: walker; 2: feeder; 3: MACs; 4: the input store is read twice at an edge; 5: the sums
// are asked once more.
module engine_chain #(
    parameter ENGINE = 0,
    parameter TM = 4,
    parameter TN = 3,
    parameter HALVES = 2,
    parameter INPUT_WORDS = 256,
    parameter OUTPUT_WORDS = 64,
    parameter BY_INPUT = 0,
    parameter DSP_CHANNELS = 0,
    parameter CHAIN = 0,
    parameter ACCUMULATOR_BITS = 32,
    parameter PER_BEAT = 4,
    parameter PER_WORD = 8,
    parameter ENTRY_BITS = OUTPUT_WORDS > 1 ? $clog2(OUTPUT_WORDS) : 1
) (
    input clk,
    input rst,
    input [2:0] fault,
    input walker_valid,
    output walker_ready,
    input [`JOB] walker_job,
    input feeder_valid,
    output feeder_ready,
    input [`JOB] feeder_job,
    input [PER_BEAT-1:0] write,
    input write_half,
    input [PER_BEAT*32-1:0] write_index,
    input [PER_BEAT*16-1:0] write_data,
    input inputs_valid,
    output inputs_ready,
    input inputs_half,
    output inputs_freed_valid,
    input inputs_freed_ready,
    input weights_valid,
    output weights_ready,
    input weights_half,
    output weights_freed_valid,
    input weights_freed_ready,
    output weights_read,
    output weights_read_half,
    output [15:0] weights_read_index,
    input [PER_WORD*8-1:0] weights_data,
    output sums_valid,
    input sums_ready,
    output sums_half,
    input sums_freed_valid,
    output sums_freed_ready,
    input sums_read,
    input sums_read_half,
    input [15:0] sums_read_entry,
    output [TM*ACCUMULATOR_BITS-1:0] sums_data
);
  wire move, read, read_half;
  wire [31:0] read_index, read_pitch;
  wire [TN*16-1:0] read_data;
  wire [TN*9-1:0] values, points_values;
  tile_store #(
      .WORDS(TN * INPUT_WORDS), .HALVES(HALVES), .WRITES(PER_BEAT), .READS(TN)
  ) inputs (
      .clk, .rst, .write, .write_half, .write_index, .write_data, .move, .read, .again(read && fault == 4), .read_half,
      .read_index, .read_pitch, .read_data
  );
  genvar i;
  generate
    for (i = 0; i < TN; i = i + 1) begin : channel
      assign values[9*i+:9] = read_data[16*i+:9];
    end
  endgenerate
  wire points_valid, points_ready, points_half, points_new_set, points_first, points_last;
  wire [15:0] points_entry;
  tile_walker #(
      .ENGINE(ENGINE), .TM(TM), .TN(TN), .SUM_HALVES(HALVES)
  ) walker (
      .clk, .rst, .fault(fault == 1 ? 4'd1 : 4'd0), .job_valid(walker_valid), .job_ready(walker_ready), .job_image(walker_job),
      .inputs_valid, .inputs_ready, .inputs_half, .sums_freed_valid, .sums_freed_ready, .move, .read, .read_half,
      .read_channels(), .read_index, .read_pitch, .read_data(values), .points_valid, .points_ready, .points_full(),
      .points_values, .points_entry, .points_half, .points_new_set, .points_first, .points_last,
      .freed_valid(inputs_freed_valid), .freed_ready(inputs_freed_ready), .freed_full(), .freed_half()
  );
  wire sets_valid, sets_ready;
  wire [TN*TM*8-1:0] sets_weights;
  weight_feeder #(
      .ENGINE(ENGINE), .TM(TM), .TN(TN), .PER_WORD(PER_WORD)
  ) feeder (
      .clk, .rst, .fault(fault == 2 ? 4'd2 : 4'd0), .job_valid(feeder_valid), .job_ready(feeder_ready), .job_image(feeder_job),
      .weights_valid, .weights_ready, .weights_half, .read(weights_read), .read_half(weights_read_half),
      .read_index(weights_read_index), .read_data(weights_data), .sets_valid, .sets_ready, .sets_full(), .sets_weights,
      .freed_valid(weights_freed_valid), .freed_ready(weights_freed_ready), .freed_full(), .freed_half()
  );
  tile_engine #(
      .TM(TM), .TN(TN), .BY_INPUT(BY_INPUT), .DSP_CHANNELS(DSP_CHANNELS), .CHAIN(CHAIN), .ACCUMULATOR_BITS(ACCUMULATOR_BITS),
      .OUTPUT_WORDS(OUTPUT_WORDS), .HALVES(HALVES)
  ) macs (
      .clk, .rst, .fault(fault == 5 ? 4'd15 : fault == 3 ? (ENGINE == 2 ? 4'd1 : 4'd3) : 4'd0), .points_valid, .points_ready, .points_values,
      .points_entry(points_entry[ENTRY_BITS-1:0]), .points_half, .points_new_set, .points_first, .points_last, .sets_valid,
      .sets_ready, .sets_weights, .sums_valid, .sums_ready, .sums_full(), .sums_half, .read_enable(sums_read),
      .read_half(sums_read_half), .read_entry(sums_read_entry[ENTRY_BITS-1:0]), .read_data(sums_data)
  );
endmodule
