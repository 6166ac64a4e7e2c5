// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// Moves weights from level 1, a word of PER_WORD codes at an edge, to level 2: sets of TN x TM codes, [input][output]. A
// convolution's set is TN rows of whole words, and its stream one register; the FC engine's (ENGINE 2) is one word.
// Level 1 lies outside and is addressed by code; it answers at the edge.
// fault 1: begins a set while the shadow is full; 2: a tile has a set less; 3: frees the other half; 4: takes the jobs of
// other engines; 5: a row goes on where the one before ended, whole words alone.
module weight_feeder #(
    parameter ENGINE = 0,
    parameter TM = 4,
    parameter TN = 3,
    parameter PER_WORD = 4,
    parameter CODE_BITS = 8,
    parameter INDEX_BITS = 16
) (
    input clk,
    input rst,
    input [3:0] fault,

    input job_valid,
    output job_ready,
    input [`JOB] job_image,
    input weights_valid,
    output weights_ready,
    input weights_half,

    output read,
    output read_half,
    output [INDEX_BITS-1:0] read_index,
    input [PER_WORD*CODE_BITS-1:0] read_data,

    output sets_valid,
    input sets_ready,
    output sets_full,
    output [TN*TM*CODE_BITS-1:0] sets_weights,
    output freed_valid,
    input freed_ready,
    output freed_full,
    output freed_half
);
  localparam FC = ENGINE == 2;
  localparam ROWS = FC ? 1 : TN;
  localparam WORDS = FC ? 1 : (TM + PER_WORD - 1) / PER_WORD;
  localparam SET_BITS = TN * TM * CODE_BITS;

  reg [`JOB] job;
  reg busy, have, half;
  assign job_ready = !busy;
  wire take = job_valid && job_ready && (job_image[`JOB_ENGINE] == ENGINE || fault == 4);
  wire tile_last;

  // Within the tile and the set.
  reg [31:0] set;
  reg [INDEX_BITS-1:0] set_index, row_index;
  reg [9:0] row, word;
  wire [31:0] kernel = job[`JOB_KERNEL];
  wire [31:0] sets = (FC ? job[`JOB_FC_STEPS] * job[`JOB_FC_GROUPS] : job[`JOB_FC] ? kernel : kernel * kernel) - (fault == 2);
  wire row_ends = word + 1 == WORDS;
  wire set_ends = row_ends && row + 1 == ROWS;
  wire tile_ends = set_ends && set + 1 >= sets;
  wire begins = row == 0 && word == 0;
  wire sets_room, freed_room;
  wire now_have = have || weights_valid;
  assign weights_ready = busy && !have;
  assign read = busy && now_have && !(begins && !sets_room && fault != 1) && !(tile_ends && !freed_room);
  assign read_half = have ? half : weights_half;
  assign read_index = set_index + row_index + word * PER_WORD;
  always @(posedge clk)
    if (rst) begin
      {busy, have} <= 0;
      set <= 0;
      {set_index, row_index} <= 0;
      {row, word} <= 0;
    end else begin
      if (take) job <= job_image;
      if (take) busy <= 1;
      else if (read && tile_ends && tile_last) busy <= 0;
      if (busy) have <= now_have && !(read && tile_ends);
      half <= read_half;
      if (read) begin
        word <= row_ends ? 0 : word + 1;
        if (row_ends) row <= set_ends ? 0 : row + 1;
        if (row_ends) row_index <= set_ends ? 0 : row_index + (fault == 5 ? WORDS * PER_WORD : TM);
        if (set_ends) set <= tile_ends ? 0 : set + 1;
        if (set_ends) set_index <= tile_ends ? 0 : set_index + TN * TM;
      end
    end
  generate
    if (FC) begin : vectors
      wire k_last, m_last, block_last;
      vector_walk walk (
          .clk, .rst, .job, .tm(16'(TM)), .tn(16'(TN)), .next(read && tile_ends), .next_block(1'b0), .first(), .inputs(),
          .m(), .k(), .k_last, .m_last, .block_last
      );
      assign tile_last = k_last && m_last && block_last;
    end else begin : tiles
      tile_walk walk (
          .clk, .rst, .job, .tm(16'(TM)), .tn(16'(TN)), .next(read && tile_ends), .m(), .y(), .x(), .n(), .inputs_last(),
          .place_last(), .last(tile_last)
      );
    end
  endgenerate

  // What has been read of a set, and with it the word that is being read.
  wire [SET_BITS-1:0] gathered;
  genvar r, o;
  generate
    for (r = 0; r < TN; r = r + 1) begin : inputs
      for (o = 0; o < TM; o = o + 1) begin : outputs
        localparam IN_ROW = FC ? r * TM + o : o;
        localparam AT_ROW = FC ? 0 : r;
        reg [CODE_BITS-1:0] code;
        wire here = AT_ROW == row && IN_ROW / PER_WORD == word;
        wire [CODE_BITS-1:0] now = here ? read_data[IN_ROW%PER_WORD*CODE_BITS+:CODE_BITS] : code;
        always @(posedge clk) if (read) code <= now;
        assign gathered[(r*TM+o)*CODE_BITS+:CODE_BITS] = now;
      end
    end
    if (FC) begin : register
      stream_register #(
          .WIDTH(SET_BITS)
      ) out (
          .clk, .rst, .fault(4'd0), .in_valid(read && set_ends), .in_ready(sets_room), .in_data(gathered),
          .out_valid(sets_valid), .out_ready(sets_ready), .out_full(sets_full), .out_data(sets_weights)
      );
    end else begin : shadow
      reg valid;
      reg [SET_BITS-1:0] set_held;
      assign sets_room = !valid;
      assign sets_valid = valid;
      assign sets_full = 0;
      assign sets_weights = set_held;
      always @(posedge clk) begin
        if (rst) valid <= 0;
        else valid <= (read && set_ends) || (valid && !sets_ready);
        if (read && set_ends) set_held <= gathered;
      end
    end
  endgenerate
  stream_register #(
      .WIDTH(1)
  ) freed (
      .clk, .rst, .fault(4'd0), .in_valid(read && tile_ends), .in_ready(freed_room), .in_data(read_half ^ (fault == 3)),
      .out_valid(freed_valid), .out_ready(freed_ready), .out_full(freed_full), .out_data(freed_half)
  );
endmodule
