// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// Walks the output tiles and has each complete one written, as runs for encoder and writer alike.
// fault 1: a layer ends with its last tile's first response; 2: the next tile begins where the last one did; 3: no tile's
// last run says so; 4: takes a job while responses are to come.
module store_unit #(
    parameter CONV_TM = 4,
    parameter FC_TM = 4,
    parameter PER_BEAT = 4,
    parameter BEAT_BYTES = 4
) (
    input clk,
    input rst,
    input [3:0] fault,

    input job_valid,
    output job_ready,
    input [`JOB] job_image,
    input complete_valid,
    output complete_ready,
    input complete_half,
    output half_valid,
    input half_ready,
    output half_full,
    output half_half,

    output requests_valid,
    input requests_ready,
    output requests_full,
    output [112:0] requests_run,
    output commands_valid,
    input commands_ready,
    output commands_full,
    output [112:0] commands_run,
    input written_valid,
    output written_ready,

    output reg layer_done
);
  reg busy, tiles_left, active;  // active: runs of the tile at hand are to come
  reg [15:0] under_way;
  reg [`JOB] job;
  wire fc = job[`JOB_ENGINE] == 2;
  wire [15:0] m, y, x;
  wire tile_last;

  assign written_ready = 1;
  wire ends = written_valid && (under_way == 1 || fault == 1) && !tiles_left;
  wire now_busy = busy && !ends && !(fault == 4 && !tiles_left && !active);
  assign job_ready = !now_busy;
  wire half_room, requests_room, commands_room, run_last;
  wire begins = now_busy && !active && tiles_left && complete_valid && half_room;
  assign complete_ready = now_busy && !active && tiles_left && half_room;
  wire issue = now_busy && (active || begins) && requests_room && commands_room;

  // The tile's place holds until its last run has left.
  reg [15:0] from_m, from_y, from_x;
  wire [15:0] now_m = active ? from_m : m, now_y = active ? from_y : y, now_x = active ? from_x : x;
  tile_walk #(
      .INPUTS(0)
  ) walk (
      .clk, .rst, .job, .tm(CONV_TM), .tn(16'd1), .next(begins && !fc && fault != 2), .m, .y, .x, .n(),
      .inputs_last(), .place_last(), .last(tile_last)
  );
  always @(posedge clk)
    if (rst) begin
      {busy, tiles_left, active, layer_done} <= 0;
      under_way <= 0;
    end else begin
      layer_done <= ends;
      busy <= now_busy || job_valid;
      under_way <= under_way - written_valid + begins;
      if (!now_busy && job_valid) begin
        job <= job_image;
        tiles_left <= 1;
      end else if (begins && (fc || tile_last)) tiles_left <= 0;
      active <= (active || begins) && !(issue && run_last);
      {from_m, from_y, from_x} <= {now_m, now_y, now_x};
    end

  wire [15:0] rows, columns;
  tile_regions region (
      .job, .y(now_y), .x(now_x), .rows, .columns, .sums_row(), .sums_column(), .sums_rows(), .sums_columns(), .in_row(),
      .in_column(), .in_rows(), .in_columns()
  );
  wire [15:0] left = job[`JOB_OUT_CHANNELS] - now_m;
  wire [31:0] address, beats, values;
  wire [15:0] skip;
  map_runs #(
      .PER_BEAT(PER_BEAT), .BEAT_BYTES(BEAT_BYTES)
  ) runs (
      .clk, .rst, .address(job[`JOB_OUTPUT_ADDRESS]), .block_channels(job[`JOB_OUT_BLOCK_CHANNELS]),
      .block_bytes(job[`JOB_OUT_BLOCK_BYTES]), .plane(job[`JOB_OUT_PLANE]), .row(job[`JOB_OUT_ROW]),
      .first(job[`JOB_OUT_FIRST] + (fc ? 0 : now_m)),
      .channels(fc ? job[`JOB_OUT_CHANNELS] : left < CONV_TM ? left : CONV_TM), .top(fc ? 0 : now_y),
      .left(fc ? 0 : now_x), .rows(fc ? 1 : rows), .columns(fc ? 1 : columns), .next(issue), .run_address(address),
      .run_beats(beats), .run_skip(skip), .run_values(values), .run_last(run_last)
  );
  wire [112:0] run = {run_last && fault != 3, values, skip, beats, address};

  stream_register #(
      .WIDTH(1)
  ) halves (
      .clk, .rst, .fault(4'd0), .in_valid(begins), .in_ready(half_room), .in_data(complete_half), .out_valid(half_valid),
      .out_ready(half_ready), .out_full(half_full), .out_data(half_half)
  );
  stream_register #(
      .WIDTH(113)
  ) requests (
      .clk, .rst, .fault(4'd0), .in_valid(issue), .in_ready(requests_room), .in_data(run), .out_valid(requests_valid),
      .out_ready(requests_ready), .out_full(requests_full), .out_data(requests_run)
  );
  stream_register #(
      .WIDTH(113)
  ) commands (
      .clk, .rst, .fault(4'd0), .in_valid(issue), .in_ready(commands_room), .in_data(run), .out_valid(commands_valid),
      .out_ready(commands_ready), .out_full(commands_full), .out_data(commands_run)
  );
endmodule
