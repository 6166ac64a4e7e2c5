// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Decodes runs of weights, packed independent of the width, and of parameters. The stores lie outside: write_count codes,
// side by side in write_data, go to index write_index and on; parameters' bytes likewise.
// fault 1: a row goes on where the one before ended; 2: writes a scattered beat at one edge; 3: forgets the outer
// stride; 4: parameters go on behind those loaded before; 5: stays with one half.
module weight_decoder #(
    parameter VALUE_BITS = 8,
    parameter SLOT_BITS = 8,
    parameter BEAT_BITS = 256,
    parameter HALVES = 2,
    parameter CONV_HALVES = HALVES,
    parameter FC_HALVES = HALVES,
    parameter INDEX_BITS = 16,
    parameter PER_BEAT = BEAT_BITS / SLOT_BITS,
    parameter PLACE_BITS = $clog2((PER_BEAT > BEAT_BITS / 8 ? PER_BEAT : BEAT_BITS / 8) + 1)
) (
    input clk,
    input rst,
    input [3:0] fault,

    input runs_valid,
    output runs_ready,
    input [15:0] runs_skip,
    input [31:0] runs_values,
    input [31:0] runs_row,
    input runs_last,
    input [1:0] runs_engine,
    input runs_parameters,
    input runs_dense,
    input [INDEX_BITS-1:0] runs_first,
    input [15:0] runs_inner,
    input [INDEX_BITS-1:0] runs_inner_stride,
    input [INDEX_BITS-1:0] runs_outer_stride,

    input beats_valid,
    output beats_ready,
    input [BEAT_BITS-1:0] beats_data,

    output write,
    output write_parameters,
    output [1:0] write_engine,
    output write_half,
    output [INDEX_BITS-1:0] write_index,
    output [PLACE_BITS-1:0] write_count,
    output [BEAT_BITS-1:0] write_data,

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
    output turn_full,
    output parameters_valid,
    input  parameters_ready,
    output parameters_full
);
  // The run, its registers loaded when it opens; `now_` is what they hold or, at the edge that opens it, will hold.
  reg [31:0] left, row, row_left;
  reg [PLACE_BITS-1:0] place;
  reg open, last, is_parameters, dense;
  reg [1:0] engine;
  reg [INDEX_BITS-1:0] index, start, inner_stride, outer_stride;
  reg [15:0] inner, inner_left;

  wire have = open || runs_valid;
  assign runs_ready = !open;
  wire [31:0] now_left = open ? left : runs_values;
  wire [31:0] now_row = open ? row : runs_row;
  wire [31:0] now_row_left = open ? row_left : runs_row;
  wire [PLACE_BITS-1:0] now_place = open ? place : runs_skip;
  wire now_last = open ? last : runs_last;
  wire now_dense = open ? dense : runs_dense;
  wire [INDEX_BITS-1:0] now_index = open ? index : runs_first;
  wire [INDEX_BITS-1:0] now_start = open ? start : runs_first;
  wire [INDEX_BITS-1:0] now_inner_stride = open ? inner_stride : runs_inner_stride;
  wire [INDEX_BITS-1:0] now_outer_stride = fault == 3 ? 0 : open ? outer_stride : runs_outer_stride;
  wire [15:0] now_inner = open ? inner : runs_inner;
  wire [15:0] now_inner_left = open ? inner_left : runs_inner;
  assign write_parameters = open ? is_parameters : runs_parameters;
  assign write_engine = open ? engine : runs_engine;

  // What of the beat is the row's, and what of that is written at this edge.
  wire [PLACE_BITS-1:0] places = (write_parameters ? BEAT_BITS / 8 : PER_BEAT) - now_place;
  wire row_ends = now_row_left <= places;
  wire [PLACE_BITS-1:0] in_beat = row_ends ? now_row_left[PLACE_BITS-1:0] : places;
  wire one = !now_dense && fault != 2;
  wire [PLACE_BITS-1:0] count = one ? 1 : in_beat;
  wire beat_ends = count == in_beat;

  wire [2:0] room;
  wire turn_room, parameters_room;
  wire ends = now_last && count == now_left;
  wire can_end = turn_room && (write_parameters ? parameters_room : room[write_engine]);
  wire go = have && (!ends || can_end);
  wire take = go && beats_valid;
  wire complete = take && ends && !write_parameters;
  wire loaded = take && ends && write_parameters;
  assign beats_ready = go && beat_ends;

  wire last_inner = now_inner_left == 1;
  wire [INDEX_BITS-1:0] next_start = now_start + now_outer_stride;
  wire row_done = row_ends && beat_ends;
  always @(posedge clk) begin
    if (rst) open <= 0;
    else if (have) open <= !(take && count == now_left);
    if (have) begin
      left <= take ? now_left - count : now_left;
      row <= now_row;
      row_left <= !take ? now_row_left : row_done ? now_row : now_row_left - count;
      if (!take) place <= now_place;
      else place <= beat_ends && !(fault == 1 && row_ends && in_beat != places) ? 0 : now_place + count;
      last <= now_last;
      is_parameters <= write_parameters;
      engine <= write_engine;
      dense <= now_dense;
      inner <= now_inner;
      inner_stride <= now_inner_stride;
      outer_stride <= now_outer_stride;
      start <= take && last_inner ? next_start : now_start;
      inner_left <= !take ? now_inner_left : last_inner ? now_inner : now_inner_left - 1;
      if (!take) index <= now_index;
      else if (now_dense) index <= now_index + count;
      else index <= last_inner ? next_start : now_index + now_inner_stride;
    end
  end

  reg [INDEX_BITS-1:0] position;
  reg [2:0] half;
  wire [1:0] halves = write_engine == 0 ? CONV_HALVES : write_engine == 2 ? FC_HALVES : HALVES;
  always @(posedge clk)
    if (rst) begin
      position <= 0;
      half <= 0;
    end else begin
      if (loaded && fault != 4) position <= 0;
      else if (take && write_parameters) position <= position + count;
      if (complete && halves == 2 && fault != 5) half[write_engine] <= !write_half;
    end

  assign write = take;
  assign write_half = half[write_engine];
  assign write_index = write_parameters ? position : now_index;
  assign write_count = count;
  assign write_data = beats_data >> (write_parameters ? now_place * 8 : now_place * SLOT_BITS);

  wire [2:0] filled_valid, filled_full, filled_half;
  wire [2:0] filled_ready = {filled_fc_ready, filled_first_ready, filled_conv_ready};
  assign {filled_fc_valid, filled_first_valid, filled_conv_valid} = filled_valid;
  assign {filled_fc_full, filled_first_full, filled_conv_full} = filled_full;
  assign {filled_fc_half, filled_first_half, filled_conv_half} = filled_half;
  genvar i;
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
      .in_valid(complete || loaded),
      .in_ready(turn_room),
      .in_data(1'b0),
      .out_valid(turn_valid),
      .out_ready(turn_ready),
      .out_full(turn_full),
      .out_data()
  );
  stream_register #(
      .WIDTH(1)
  ) parameters (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(loaded),
      .in_ready(parameters_room),
      .in_data(1'b0),
      .out_valid(parameters_valid),
      .out_ready(parameters_ready),
      .out_full(parameters_full),
      .out_data()
  );
endmodule
