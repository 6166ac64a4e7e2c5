// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Decodes graded runs into the stores of three engines. A store's half has a bank per value of a beat, so that a beat's
// values are written at one edge wherever they begin: value p lies in bank p mod PER_BEAT, word p / PER_BEAT.
// fault 1: does not skip; 2: extends unsigned values by their sign; 3: stays with one half; 4: a tile's end does not wait
// for room in `turn`.
module graded_decoder #(
    parameter VALUE_BITS = 8,
    parameter SLOT_BITS = 8,
    parameter WORD_BITS = 32,
    parameter BEAT_BITS = 32,
    parameter HALVES = 2,
    parameter CONV_HALVES = HALVES,
    parameter FC_HALVES = HALVES,
    parameter ADDRESS_BITS = 12,
    parameter PER_WORD = WORD_BITS / SLOT_BITS,
    parameter PER_BEAT = BEAT_BITS / WORD_BITS * PER_WORD
) (
    input clk,
    input rst,
    input [3:0] fault,

    input runs_valid,
    output runs_ready,
    input [15:0] runs_skip,
    input [31:0] runs_values,
    input runs_last,
    input [1:0] runs_engine,
    input runs_unsigned,

    input beats_valid,
    output beats_ready,
    input [BEAT_BITS-1:0] beats_data,

    output [PER_BEAT-1:0] write,
    output [1:0] write_engine,
    output write_half,
    output [PER_BEAT*ADDRESS_BITS-1:0] write_address,
    output [PER_BEAT*16-1:0] write_data,

    output filled_conv_valid,
    input  filled_conv_ready,
    output filled_conv_full,
    output filled_conv_half,
    output filled_first_valid,
    input  filled_first_ready,
    output filled_first_full,
    output filled_first_half,
    output filled_fc_valid,
    input  filled_fc_ready,
    output filled_fc_full,
    output filled_fc_half,
    output turn_valid,
    input  turn_ready,
    output turn_full
);
  localparam LANE_BITS = $clog2(PER_BEAT + 1);

  reg [31:0] left;
  reg [LANE_BITS-1:0] first;
  reg open, last, is_unsigned;
  reg [1:0] engine;

  // The run that is open, or the one that opens at this edge.
  wire have = open || runs_valid;
  wire [31:0] values = open ? left : runs_values;
  wire [LANE_BITS-1:0] skip = open ? first : fault == 1 ? 0 : runs_skip[LANE_BITS-1:0];
  wire ends = open ? last : runs_last;
  wire zero_extend = open ? is_unsigned : runs_unsigned;
  assign write_engine = open ? engine : runs_engine;
  assign runs_ready   = !open;

  wire [LANE_BITS-1:0] in_beat = PER_BEAT - skip;
  wire ends_run = values <= in_beat;
  wire [LANE_BITS-1:0] count = ends_run ? values[LANE_BITS-1:0] : in_beat;
  wire ends_tile = ends && ends_run;
  wire [2:0] room;
  wire turn_room;
  wire token_room = room[write_engine] && (turn_room || fault == 4);
  wire take = have && beats_valid && (!ends_tile || token_room);
  wire complete = take && ends_tile;
  assign beats_ready = have && (!ends_tile || token_room);

  always @(posedge clk) begin
    if (rst) open <= 0;
    else if (have) open <= !(take && ends_run);
    if (have) begin
      left <= take ? values - count : values;
      first <= take ? 0 : skip;
      last <= ends;
      is_unsigned <= zero_extend;
      engine <= write_engine;
    end
  end

  // Where in the half: bank `lane` of word `row` is next.
  reg [ADDRESS_BITS-1:0] row;
  reg [LANE_BITS-1:0] lane;
  reg [2:0] half;
  wire [1:0] halves = write_engine == 0 ? CONV_HALVES : write_engine == 2 ? FC_HALVES : HALVES;
  assign write_half = half[write_engine];
  wire [LANE_BITS:0] behind = lane + count;
  always @(posedge clk)
    if (rst) begin
      row  <= 0;
      lane <= 0;
      half <= 0;
    end else if (complete) begin
      row  <= 0;
      lane <= 0;
      if (halves == 2 && fault != 3) half[write_engine] <= !write_half;
    end else if (take) begin
      row  <= row + (behind >= PER_BEAT);
      lane <= behind >= PER_BEAT ? behind - PER_BEAT : behind;
    end

  // A value and whether it is the run's, turned from its slot to its bank.
  localparam WIDTH = VALUE_BITS + 1;
  wire [LANE_BITS:0] end_slot = skip + count;
  wire [LANE_BITS-1:0] turn_by = lane >= skip ? lane - skip : lane + PER_BEAT - skip;
  wire [PER_BEAT*WIDTH-1:0] slots, banks;
  rotate #(
      .VALUES(PER_BEAT),
      .WIDTH (WIDTH)
  ) turned (
      .in(slots),
      .amount(turn_by),
      .out(banks)
  );
  genvar i;
  generate
    for (i = 0; i < PER_BEAT; i = i + 1) begin : bank
      wire [VALUE_BITS-1:0] code = banks[i*WIDTH+:VALUE_BITS];
      wire sign = code[VALUE_BITS-1] && (!zero_extend || fault == 2);
      assign slots[i*WIDTH+:WIDTH] = {i >= skip && i < end_slot, beats_data[i/PER_WORD*WORD_BITS+i%PER_WORD*SLOT_BITS+:VALUE_BITS]};
      assign write[i] = take && banks[i*WIDTH+VALUE_BITS];
      assign write_address[i*ADDRESS_BITS+:ADDRESS_BITS] = row + (i < lane);
      assign write_data[i*16+:16] = {{16{sign}}, code};
    end
  endgenerate

  wire [2:0] filled_valid, filled_full, filled_half;
  wire [2:0] filled_ready = {filled_fc_ready, filled_first_ready, filled_conv_ready};
  assign {filled_fc_valid, filled_first_valid, filled_conv_valid} = filled_valid;
  assign {filled_fc_full, filled_first_full, filled_conv_full} = filled_full;
  assign {filled_fc_half, filled_first_half, filled_conv_half} = filled_half;
  generate
    for (i = 0; i < 3; i = i + 1) begin : filled
      stream_register #(
          .WIDTH(1)
      ) token (
          .clk(clk),
          .rst(rst),
          .fault(4'd0),
          .in_valid(complete && write_engine == i),
          .in_ready(room[i]),
          .in_data(half[i]),
          .out_valid(filled_valid[i]),
          .out_ready(filled_ready[i]),
          .out_full(filled_full[i]),
          .out_data(filled_half[i])
      );
    end
  endgenerate
  stream_register #(
      .WIDTH(1)
  ) turn (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(complete),
      .in_ready(turn_room),
      .in_data(1'b0),
      .out_valid(turn_valid),
      .out_ready(turn_ready),
      .out_full(turn_full),
      .out_data()
  );
endmodule
