// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// Asks for a layer's parameters, then walks the nest of tiles and asks for each tile's weights, as runs for reader and
// decoder alike. A phase is what goes with one load of inputs: a tile, of the FC engine those of a block. With SERIAL it
// waits for its turn and hands it over behind its last value, and each load is whole before the next.
// fault 1: the next tile begins while one is under way; 2: hands the turn over at every load; 3: no credit is taken;
// 4: repeats of a tile follow each other in memory; 5: a natural tile's second run is its first.
module weight_loader #(
    parameter SERIAL = 1,
    parameter REORGANISE = 1,
    parameter CONV_TM = 4,
    parameter CONV_TN = 3,
    parameter FIRST_TM = 2,
    parameter FIRST_TN = 3,
    parameter FC_TM = 4,
    parameter FC_TN = 4,
    parameter HALVES = 2,
    parameter PER_BEAT = 8,
    parameter BEAT_BYTES = 8
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
    output [31:0] commands_row,
    output commands_parameters,
    output commands_dense,
    output [15:0] commands_first,
    output [15:0] commands_inner,
    output [15:0] commands_inner_stride,
    output [15:0] commands_outer_stride
);
  reg [`JOB] held;
  reg phases, phase_open, parameters, active;
  reg [7:0] under_way;
  wire tile_last, place_last, inputs_last, k_last, m_last, block_last;

  // What came back: free halves, and loads that are complete. The first layer's engine shares the convolutions' store.
  reg [7:0] conv_credits, fc_credits;
  assign {freed_fc_ready, freed_first_ready, freed_conv_ready, done_ready} = 4'b1111;
  wire [7:0] conv_free = conv_credits + freed_conv_valid + freed_first_valid, fc_free = fc_credits + freed_fc_valid;
  wire [7:0] coming = under_way - done_valid;
  wire hand_over = done_valid && SERIAL == 1 && phases && (fault == 2 || (!phase_open && coming == 0));

  // A layer, or a phase of it, begins.
  wire may_open = !active && !phase_open;
  assign job_ready = may_open && !phases;
  assign turn_ready = may_open && phases && SERIAL == 1;
  wire take = job_valid && job_ready;
  wire opens = may_open && phases && (SERIAL == 0 || turn_valid);
  wire [`JOB] job = take ? job_image : held;
  wire [1:0] engine = job[`JOB_ENGINE];
  wire fc = engine == 2;
  wire [15:0] tm = fc ? FC_TM : engine == 1 ? FIRST_TM : CONV_TM, tn = fc ? FC_TN : engine == 1 ? FIRST_TN : CONV_TN;
  wire now_open = phase_open || take || opens;
  wire now_parameters = parameters || take;

  // A tile, or the parameters.
  wire may_begin = !active && now_open && !(SERIAL == 1 && coming != 0 && fault != 1);
  wire [7:0] free = fc ? fc_free : conv_free;
  wire begins = may_begin && (now_parameters || free != 0);
  wire begins_tile = begins && !now_parameters;
  wire phase_ends = now_parameters || !fc || (k_last && m_last);
  wire [31:0] block, inputs, fc_m, fc_k;
  wire [15:0] m, n;
  tile_walk walk (
      .clk, .rst, .job, .tm, .tn, .next(begins_tile && !fc), .m, .y(), .x(), .n, .inputs_last, .place_last,
      .last(tile_last)
  );
  vector_walk vectors (
      .clk, .rst, .job, .tm, .tn, .next(begins_tile && fc), .next_block(1'b0), .first(block), .inputs, .m(fc_m), .k(fc_k),
      .k_last, .m_last, .block_last
  );

  // The current tile, held until its last run has left, has a number in the order of use, outputs and inputs.
  reg [31:0] number, tile_number, row_of_tiles;
  reg [15:0] first_output, outputs, first_input, of_inputs, run;
  wire [31:0] now_number = begins ? number : tile_number;
  wire [31:0] most = fc ? job[`JOB_FC_GROUPS] * FC_TM : tm, most_in = fc ? job[`JOB_FC_STEPS] * FC_TN : tn;
  wire [31:0] now_output = !begins ? first_output : fc ? fc_m : m;
  wire [31:0] now_input = !begins ? first_input : fc ? block + fc_k : n;
  wire [31:0] left = job[`JOB_OUT_CHANNELS] - now_output;
  wire [31:0] left_in = fc ? inputs - fc_k : job[`JOB_IN_CHANNELS] - n;
  wire [15:0] now_outputs = !begins ? outputs : left < most ? left : most;
  wire [15:0] now_inputs = !begins ? of_inputs : left_in < most_in ? left_in : most_in;
  wire [15:0] now_run = begins || fault == 5 ? 0 : run;

  wire requests_room, commands_room;
  wire issue = (active || begins) && requests_room && commands_room;
  wire run_last = now_parameters || REORGANISE == 1 || (fault == 5 ? run : now_run) + 1 >= now_outputs;
  always @(posedge clk)
    if (rst) begin
      {phases, phase_open, parameters, active} <= 0;
      under_way <= 0;
      conv_credits <= HALVES;
      fc_credits <= 2;
      number <= 0;
      row_of_tiles <= 0;
    end else begin
      if (take) held <= job_image;
      if (take) phases <= 1;
      else if (opens) phases <= fc ? !block_last : !tile_last;
      phase_open <= now_open && !(begins && phase_ends);
      parameters <= now_parameters && !issue;
      under_way <= coming + begins;
      conv_credits <= conv_free - (begins_tile && !fc && fault != 3);
      fc_credits <= fc_free - (begins_tile && fc);
      active <= (active || begins) && !(issue && run_last);
      run <= issue ? (begins ? 1 : run + 1) : begins ? 0 : run;
      {tile_number, first_output, outputs} <= {now_number, now_output[15:0], now_outputs};
      {first_input, of_inputs} <= {now_input[15:0], now_inputs};
      if (take) begin
        number <= 0;
        row_of_tiles <= 0;
      end else if (begins_tile) begin
        // Behind an output tile's last inputs the same weights again, but at the last place.
        if (!fc && inputs_last && !place_last && fault != 4) number <= row_of_tiles;
        else number <= number + 1;
        if (!fc && place_last) row_of_tiles <= number + 1;
      end
    end

  // Its run.
  wire [31:0] steps = fc ? 1 : (job[`JOB_FC] ? 1 : job[`JOB_KERNEL]) * job[`JOB_KERNEL];
  wire [31:0] tile_values = fc ? job[`JOB_FC_STEPS] * job[`JOB_FC_GROUPS] * tm * tn : steps * tn * tm;
  wire [31:0] tile_beats = fc ? (tile_values + PER_BEAT - 1) / PER_BEAT : steps * tn * ((tm + PER_BEAT - 1) / PER_BEAT);
  wire [31:0] start = ((now_output + now_run) * job[`JOB_IN_CHANNELS] + now_input) * steps;
  wire [31:0] bytes = 8 * job[`JOB_OUT_CHANNELS];
  wire [15:0] skip = now_parameters || REORGANISE == 1 ? 0 : start % PER_BEAT;
  wire [31:0] values = now_parameters ? bytes : REORGANISE == 1 ? tile_values : now_inputs * steps;
  wire [31:0] address = now_parameters ? job[`JOB_PARAMETER_ADDRESS] : job[`JOB_WEIGHT_ADDRESS] +
      (REORGANISE == 1 ? now_number * tile_beats : start / PER_BEAT) * BEAT_BYTES;
  wire [31:0] beats = now_parameters ? (bytes + BEAT_BYTES - 1) / BEAT_BYTES : REORGANISE == 1 ? tile_beats :
      (skip + values + PER_BEAT - 1) / PER_BEAT;
  wire [112:0] asked = {run_last, values, skip, beats, address};
  wire dense = now_parameters || REORGANISE == 1;
  wire [31:0] row = dense && !now_parameters && !fc ? tm : values;
  wire [31:0] tile = tm * tn;
  wire [63:0] scatter = dense ? {16'd0, 16'd1, 16'hffff, 16'd0} :
      fc ? {16'(job[`JOB_FC_GROUPS] * tile), tm, tn, 16'(now_run / tm * tile + now_run % tm)} :
      {tm, tile[15:0], steps[15:0], now_run};

  stream_register #(
      .WIDTH(1)
  ) turn_over (
      .clk, .rst, .fault(4'd0), .in_valid(hand_over), .in_ready(), .in_data(1'b0), .out_valid(turn_over_valid),
      .out_ready(turn_over_ready), .out_full(turn_over_full), .out_data()
  );
  stream_register #(
      .WIDTH(113)
  ) requests (
      .clk, .rst, .fault(4'd0), .in_valid(issue), .in_ready(requests_room), .in_data(asked), .out_valid(requests_valid),
      .out_ready(requests_ready), .out_full(requests_full), .out_data(requests_run)
  );
  stream_register #(
      .WIDTH(113 + 100)
  ) commands (
      .clk, .rst, .fault(4'd0), .in_valid(issue), .in_ready(commands_room),
      .in_data({scatter, dense, now_parameters, row, engine, asked}), .out_valid(commands_valid),
      .out_ready(commands_ready), .out_full(commands_full),
      .out_data({commands_outer_stride, commands_inner_stride, commands_inner, commands_first, commands_dense,
                 commands_parameters, commands_row, commands_engine, commands_run})
  );
endmodule
