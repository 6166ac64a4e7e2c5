// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// Walks the nest of tiles and asks for each tile's inputs, as runs for reader and decoder alike. With SERIAL a tile waits
// for its turn, and hands it over when its last value is in. Three engines; the FC engine's input store has one half.
// fault 1: forgets a turn; 2: one half too many; 3: the next tile's channels are this one's; 4: takes the next job while
// runs of this one are to come.
module input_loader #(
    parameter SERIAL = 1,
    parameter CONV_TM = 4,
    parameter CONV_TN = 3,
    parameter CONV_HALVES = 2,
    parameter FIRST_TM = 2,
    parameter FIRST_TN = 3,
    parameter FIRST_HALVES = 1,
    parameter FC_TM = 4,
    parameter FC_TN = 4,
    parameter PER_BEAT = 4,
    parameter BEAT_BYTES = 4
) (
    input clk,
    input rst,
    input [3:0] fault,

    input job_valid,
    output job_ready,
    input [`JOB] job_image,
    input freed_conv_valid,
    output freed_conv_ready,
    input freed_first_valid,
    output freed_first_ready,
    input freed_fc_valid,
    output freed_fc_ready,
    input done_valid,
    output done_ready,
    input turn_valid,
    output turn_ready,
    output turn_over_valid,
    input turn_over_ready,
    output turn_over_full,

    output requests_valid,
    input requests_ready,
    output requests_full,
    output [112:0] requests_run,
    output commands_valid,
    input commands_ready,
    output commands_full,
    output [112:0] commands_run,
    output [1:0] commands_engine,
    output commands_unsigned
);
  reg [`JOB] held;
  reg left, active;  // tiles of the layer, and runs of the tile, are to come
  wire take = job_valid && job_ready;
  assign job_ready = !left && (!active || fault == 4);
  wire [`JOB] job = take ? job_image : held;
  wire now_left = left || take;
  wire [1:0] engine = job[`JOB_ENGINE];
  wire fc = engine == 2;
  wire [15:0] tm = engine == 1 ? FIRST_TM : CONV_TM, tn = engine == 1 ? FIRST_TN : CONV_TN;

  // Free halves.
  reg [7:0] credits[0:2];  // registers
  wire [2:0] freed = {freed_fc_valid, freed_first_valid, freed_conv_valid};
  assign {freed_fc_ready, freed_first_ready, freed_conv_ready} = 3'b111;
  wire free = credits[engine] != 0 || freed[engine] || fault == 2;
  wire can_begin = now_left && !active && free;
  wire begins = can_begin && (SERIAL == 0 || turn_valid || fault == 1);
  assign turn_ready = SERIAL == 1 && can_begin;
  integer e;
  always @(posedge clk)
    for (e = 0; e < 3; e = e + 1)
      if (rst) credits[e] <= e == 0 ? CONV_HALVES : e == 1 ? FIRST_HALVES : 1;
      else credits[e] <= credits[e] + freed[e] - (begins && engine == e);

  // Where the tile is; it holds until its last run has left.
  wire [15:0] m, y, x, n;
  wire [31:0] block, inputs;
  wire tile_last, block_last, run_last;
  tile_walk walk (
      .clk, .rst, .job, .tm, .tn, .next(begins && !fc), .m, .y, .x, .n, .inputs_last(), .place_last(), .last(tile_last)
  );
  vector_walk blocks (
      .clk, .rst, .job, .tm(FC_TM), .tn(FC_TN), .next(1'b0), .next_block(begins && fc), .first(block), .inputs, .m(), .k(),
      .k_last(), .m_last(), .block_last
  );
  reg [15:0] from_y, from_x, first, channels;
  wire [15:0] now_y = begins ? y : from_y, now_x = begins ? x : from_x;
  wire [15:0] in_channels = job[`JOB_IN_CHANNELS] - n;
  wire [15:0] now_first = !begins ? first : fc ? block : fault == 3 ? 0 : n;
  wire [15:0] now_channels = !begins ? channels : fc ? inputs : in_channels < tn ? in_channels : tn;
  wire requests_room, commands_room;
  wire issue = (active || begins) && requests_room && commands_room;
  always @(posedge clk) begin
    if (rst) {left, active} <= 0;
    else begin
      left <= now_left && !(begins && (fc ? block_last : tile_last));
      active <= (active || begins) && !(issue && run_last);
    end
    if (take) held <= job_image;
    {from_y, from_x, first, channels} <= {now_y, now_x, now_first, now_channels};
  end

  wire [15:0] row, column, rows, columns;
  tile_regions regions (
      .job, .y(now_y), .x(now_x), .rows(), .columns(), .sums_row(), .sums_column(), .sums_rows(), .sums_columns(),
      .in_row(row), .in_column(column), .in_rows(rows), .in_columns(columns)
  );
  wire [31:0] address, beats, values;
  wire [15:0] skip;
  map_runs #(
      .PER_BEAT(PER_BEAT), .BEAT_BYTES(BEAT_BYTES)
  ) runs (
      .clk, .rst, .address(job[`JOB_INPUT_ADDRESS]), .block_channels(job[`JOB_IN_BLOCK_CHANNELS]),
      .block_bytes(job[`JOB_IN_BLOCK_BYTES]), .plane(job[`JOB_IN_PLANE]), .row(job[`JOB_IN_ROW]),
      .first(job[`JOB_IN_FIRST] + now_first), .channels(now_channels), .top(fc ? 0 : row), .left(fc ? 0 : column),
      .rows(fc ? 1 : rows), .columns(fc ? 1 : columns), .next(issue), .run_address(address), .run_beats(beats),
      .run_skip(skip), .run_values(values), .run_last(run_last)
  );
  wire [112:0] run = {run_last, values, skip, beats, address};

  // A tile's last value is in.
  assign done_ready = 1;
  stream_register #(
      .WIDTH(1)
  ) turn_over (
      .clk, .rst, .fault(4'd0), .in_valid(done_valid && SERIAL == 1), .in_ready(), .in_data(1'b0),
      .out_valid(turn_over_valid), .out_ready(turn_over_ready), .out_full(turn_over_full), .out_data()
  );
  stream_register #(
      .WIDTH(113)
  ) requests (
      .clk, .rst, .fault(4'd0), .in_valid(issue), .in_ready(requests_room), .in_data(run), .out_valid(requests_valid),
      .out_ready(requests_ready), .out_full(requests_full), .out_data(requests_run)
  );
  stream_register #(
      .WIDTH(116)
  ) commands (
      .clk, .rst, .fault(4'd0), .in_valid(issue), .in_ready(commands_room),
      .in_data({job[`JOB_IN_UNSIGNED], engine, run}), .out_valid(commands_valid), .out_ready(commands_ready),
      .out_full(commands_full), .out_data({commands_unsigned, commands_engine, commands_run})
  );
endmodule
