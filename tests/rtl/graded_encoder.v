// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// Encodes halves of the output store into graded beats. A half has a bank per value of a beat: value p lies in bank
// p mod PER_BEAT, word p / PER_BEAT. The banks' two registers (address or array, output) are clocked with read_enable.
// fault 1: strobes whole beats; 2: the halves' values go on behind those of the half before; 3: frees a half at the end
// of every run; 4: the banks run on while `beats` is full.
module graded_encoder #(
    parameter VALUE_BITS = 8,
    parameter SLOT_BITS = 8,
    parameter WORD_BITS = 32,
    parameter BEAT_BITS = 32,
    parameter ADDRESS_BITS = 12,
    parameter PER_WORD = WORD_BITS / SLOT_BITS,
    parameter PER_BEAT = BEAT_BITS / WORD_BITS * PER_WORD,
    parameter LANE_BITS = $clog2(PER_BEAT + 1)
) (
    input clk,
    input rst,
    input [3:0] fault,

    input runs_valid,
    output runs_ready,
    input [15:0] runs_skip,
    input [31:0] runs_values,
    input runs_last,

    input  filled_valid,
    output filled_ready,
    input  filled_half,

    // Bank b reads word read_row, the next one if b < read_lane.
    output read_enable,
    output read_half,
    output [ADDRESS_BITS-1:0] read_row,
    output [LANE_BITS-1:0] read_lane,
    input [PER_BEAT*16-1:0] read_data,

    output freed_valid,
    input  freed_ready,
    output freed_full,
    output freed_half,

    output beats_valid,
    input beats_ready,
    output beats_full,
    output [BEAT_BITS-1:0] beats_data,
    output [BEAT_BITS/8-1:0] beats_strobe,
    output beats_last
);
  reg [1:0] valid;
  wire beats_room, freed_room;
  wire advance = !valid[1] || beats_room;

  reg [31:0] left;
  reg [LANE_BITS-1:0] first;
  reg fresh, last, open, half;

  // The run that is open, or the one that opens at this edge, with its half.
  wire have = !fresh || (runs_valid && (open || filled_valid));
  wire [31:0] values = fresh ? runs_values : left;
  wire [LANE_BITS-1:0] skip = fresh ? runs_skip : first;
  wire ends = fresh ? runs_last : last;
  assign runs_ready   = advance && fresh && (open || filled_valid);
  assign filled_ready = advance && fresh && runs_valid && !open;

  wire [LANE_BITS-1:0] in_beat = PER_BEAT - skip;
  wire ends_run = values <= in_beat;
  wire [LANE_BITS-1:0] count = ends_run ? values[LANE_BITS-1:0] : in_beat;
  wire ends_tile = ends_run && (ends || fault == 3);
  wire read = advance && have && (!ends_tile || freed_room);

  assign read_enable = advance || fault == 4;
  assign read_half   = open ? half : filled_half;

  reg [ADDRESS_BITS-1:0] row;
  reg [ LANE_BITS-1:0] lane;
  wire restart = !open && fault != 2;
  assign read_row  = restart ? 0 : row;
  assign read_lane = restart ? 0 : lane;
  wire [LANE_BITS:0] behind = read_lane + count;

  always @(posedge clk)
    if (rst) begin
      fresh <= 1;
      open <= 0;
      row  <= 0;
      lane <= 0;
    end else if (advance && have) begin
      fresh <= read && ends_run;
      left  <= read ? values - count : values;
      first <= read ? 0 : skip;
      last  <= ends;
      half  <= read_half;
      open  <= !(read && ends_tile);
      row   <= read_row + (read && behind >= PER_BEAT);
      lane  <= !read ? read_lane : behind >= PER_BEAT ? behind - PER_BEAT : behind;
    end

  // What a read becomes, beside the banks' registers: its slots, and how far its values turn from bank to slot.
  reg [LANE_BITS-1:0] address_from, address_turn, from, turn_by;
  reg [LANE_BITS:0] address_to, to;
  reg address_run_end, run_end;
  always @(posedge clk) begin
    if (rst) valid <= 0;
    else if (advance) valid <= {valid[0], read};
    if (advance) begin
      address_from <= skip;
      address_to <= skip + count;
      address_turn <= skip >= read_lane ? skip - read_lane : skip + PER_BEAT - read_lane;
      address_run_end <= ends_run;
      {from, to, turn_by, run_end} <= {address_from, address_to, address_turn, address_run_end};
    end
  end

  wire [PER_BEAT*VALUE_BITS-1:0] banks, slots;
  rotate #(
      .VALUES(PER_BEAT),
      .WIDTH (VALUE_BITS)
  ) turned (
      .in(banks),
      .amount(turn_by),
      .out(slots)
  );
  wire [PER_BEAT-1:0] used;
  wire [BEAT_BITS-1:0] data;
  wire [BEAT_BITS/8-1:0] strobe;
  genvar i;
  generate
    for (i = 0; i < PER_BEAT; i = i + 1) begin : bank_of
      assign banks[i*VALUE_BITS+:VALUE_BITS] = read_data[i*16+:VALUE_BITS];
      assign used[i] = i >= from && i < to;
    end
    for (i = 0; i < BEAT_BITS; i = i + 1) begin : bits
      localparam WORD = i / WORD_BITS;
      localparam IN_WORD = (i - WORD * WORD_BITS) / SLOT_BITS;
      localparam IN_SLOT = i - WORD * WORD_BITS - IN_WORD * SLOT_BITS;
      localparam SLOT = WORD * PER_WORD + IN_WORD;
      if (IN_WORD < PER_WORD && IN_SLOT < VALUE_BITS) assign data[i] = used[SLOT] && slots[SLOT*VALUE_BITS+IN_SLOT];
      else assign data[i] = 1'b0;
    end
    for (i = 0; i < BEAT_BITS / 8; i = i + 1) begin : bytes
      // The slots that have a bit in this byte; a byte of filling has none.
      localparam WORD = 8 * i / WORD_BITS;
      localparam LOW = (8 * i - WORD * WORD_BITS) / SLOT_BITS;
      localparam HIGH = (8 * i - WORD * WORD_BITS + 7) / SLOT_BITS;
      localparam TOP = HIGH < PER_WORD ? HIGH : PER_WORD - 1;
      if (LOW < PER_WORD) assign strobe[i] = |used[WORD*PER_WORD+TOP:WORD*PER_WORD+LOW];
      else assign strobe[i] = 1'b0;
    end
  endgenerate

  stream_register #(
      .WIDTH(1)
  ) freed (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(read && ends_tile),
      .in_ready(freed_room),
      .in_data(read_half),
      .out_valid(freed_valid),
      .out_ready(freed_ready),
      .out_full(freed_full),
      .out_data(freed_half)
  );
  stream_register #(
      .WIDTH(BEAT_BITS + BEAT_BITS / 8 + 1)
  ) beats (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[1]),
      .in_ready(beats_room),
      .in_data({data, fault == 1 ? {BEAT_BITS / 8{1'b1}} : strobe, run_end}),
      .out_valid(beats_valid),
      .out_ready(beats_ready),
      .out_full(beats_full),
      .out_data({beats_data, beats_strobe, beats_last})
  );
endmodule
