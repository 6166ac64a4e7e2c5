// SPDX-License-Identifier: Apache-2.0
// TM x TN MACs: operands, product and sum registers, a tree for each output channel, and partial sums that are read,
// added to and written back, one edge each. A weight set enters the multipliers with the first point that names it. A
// point waits while its entry is on its way to the adder. Inputs have 9 bits, weights 8, [input channel][output channel].
// DSP_CHANNELS of the output channels, or of the input channels if BY_INPUT, are made of DSP slices, the others of LUTs;
// or, with CHAIN, all of them of chains of as many packed slices (chain_array).
// The post-processing reads complete halves through read_*, data one edge later.
// `fault`: 1 takes a point before its weight set is there, 2 reads a sum before it has been written, 3 starts no sum from
// zero, 4 does not hold its stages while `sums` is full, 5 adds a first point's sums twice, 15 asks once more.
`include "memory_ports.vh"
module tile_engine #(
    parameter TM = 4,
    parameter TN = 3,
    parameter BY_INPUT = 0,
    parameter DSP_CHANNELS = 4,
    parameter CHAIN = 0,
    parameter ACCUMULATOR_BITS = 32,
    parameter OUTPUT_WORDS = 16,
    parameter HALVES = 2,
    parameter ENTRY_BITS = OUTPUT_WORDS > 1 ? $clog2(OUTPUT_WORDS) : 1
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire                  points_valid,
    output wire                  points_ready,
    input  wire [      TN*9-1:0] points_values,
    input  wire [ENTRY_BITS-1:0] points_entry,
    input  wire                  points_half,
    input  wire                  points_new_set,
    input  wire                  points_first,
    input  wire                  points_last,

    input  wire               sets_valid,
    output wire               sets_ready,
    input  wire [TN*TM*8-1:0] sets_weights,

    output wire sums_valid,
    input  wire sums_ready,
    output wire sums_full,
    output wire sums_half,

    input  wire                           read_enable,
    input  wire                           read_half,
    input  wire [         ENTRY_BITS-1:0] read_entry,
    output wire [TM*ACCUMULATOR_BITS-1:0] read_data
);
  localparam TERMS = CHAIN > 0 ? (TN + CHAIN - 1) / CHAIN : TN;
  localparam TERM_BITS = CHAIN > 0 ? 18 : 16;
  localparam MULTIPLY = CHAIN > 0 ? CHAIN + 5 : 3;
  localparam LEVELS = $clog2(TERMS);
  localparam TREE_BITS = TERM_BITS + LEVELS;
  localparam LATENCY = MULTIPLY + LEVELS + 3;
  // The stage whose registers hold the tree's sums, and those behind it: read, added, written.
  localparam SUMMED = MULTIPLY - 1 + LEVELS;
  localparam READ = SUMMED + 1;
  localparam ADDED = SUMMED + 2;
  localparam WIDTH = TM * ACCUMULATOR_BITS;

  reg [LATENCY-1:0] valid, last, first, half;
  reg [ENTRY_BITS-1:0] entry[0:LATENCY-1];  // registers
  wire sums_room;
  wire complete = valid[LATENCY-1] && last[LATENCY-1];
  wire advance = !complete || sums_room || fault == 4'd4;

  // Read back at SUMMED + 1 what is written at SUMMED + 3: two points behind an entry's last one come too early.
  wire [ENTRY_BITS:0] address = {points_half, points_entry};
  wire in_flight = (valid[0] && address == {half[0], entry[0]}) || (valid[1] && address == {half[1], entry[1]});
  wire wait_sum = in_flight && !points_first && fault != 4'd2;
  wire wait_set = points_new_set && !sets_valid && fault != 4'd1;
  assign points_ready = advance && !wait_sum && !wait_set;
  wire take = points_valid && points_ready;
  wire load = take && points_new_set;
  assign sets_ready = load;

  integer i;
  always @(posedge clk) begin
    if (rst) valid <= {LATENCY{1'b0}};
    else if (advance) valid <= {valid[LATENCY-2:0], take};
    if (advance) begin
      last  <= {last[LATENCY-2:0], points_last};
      first <= {first[LATENCY-2:0], points_first};
      half  <= {half[LATENCY-2:0], points_half};
      entry[0] <= points_entry;
      for (i = 1; i < LATENCY; i = i + 1) entry[i] <= entry[i-1];
    end
  end

  // Sums of the entry at READ, from the half that it names; zero for a first point.
  wire [WIDTH-1:0] stored;
  wire [WIDTH-1:0] sums;
  reg [WIDTH-1:0] total;
  always @(posedge clk) if (advance) total <= sums;

  genvar o, n, h;
  wire [TM*TERMS*TERM_BITS-1:0] all;
  generate
    if (CHAIN > 0) begin : chains
      wire [TM*TN*8-1:0] set;
      for (o = 0; o < TM; o = o + 1) begin : channel
        for (n = 0; n < TN; n = n + 1) begin : lane
          assign set[(o*TN+n)*8+:8] = sets_weights[(n*TM+o)*8+:8];
        end
      end
      chain_array #(
          .ROWS(1),
          .COLS(1),
          .INPUT_CHANNELS(TN),
          .OUTPUT_CHANNELS(TM),
          .CHAIN(CHAIN),
          .CHAINS(TERMS)
      ) slices (
          .clk(clk),
          .rst(rst),
          .wrong(1'b0),
          .enable(advance),
          .take(take),
          .load(load),
          .taps(points_values),
          .set(set),
          .paired(),
          .sums(all)
      );
    end
    for (o = 0; o < TM; o = o + 1) begin : channel
      wire [TERMS*TERM_BITS-1:0] products;
      if (CHAIN > 0) begin : from_chains
        assign products = all[o*TERMS*TERM_BITS+:TERMS*TERM_BITS];
      end else for (n = 0; n < TN; n = n + 1) begin : lane
        wire [8:0] activation = points_values[n*9+:9];
        wire [7:0] weight = sets_weights[(n*TM+o)*8+:8];
        if ((BY_INPUT == 1 ? n : o) < DSP_CHANNELS) begin : dsp
          wire [15:0] product;
          mac_cell #(
              .MULTIPLIER(0)
          ) slice (
              .clk(clk),
              .enable(advance),
              .load(load),
              .wrong(1'b0),
              .activation(activation),
              .high_weight(8'd0),
              .low_weight(weight),
              .high(),
              .low(product)
          );
          assign products[n*16+:16] = product;
        end else begin : luts
          lut_cell cell_of_luts (
              .clk(clk),
              .enable(advance),
              .load(load),
              .activation(activation),
              .weight(weight),
              .product(products[n*16+:16])
          );
        end
      end
      wire [TREE_BITS-1:0] tree;
      pipelined_sum #(
          .TERMS (TERMS),
          .WIDTH (TERM_BITS),
          .LEVELS(LEVELS)
      ) adders (
          .clk(clk),
          .enable(advance),
          .in(products),
          .out(tree)
      );
      reg [TREE_BITS-1:0] addend;
      always @(posedge clk) if (advance) addend <= tree;
      wire [ACCUMULATOR_BITS-1:0] wide = {{(ACCUMULATOR_BITS - TREE_BITS) {addend[TREE_BITS-1]}}, addend};
      wire [ACCUMULATOR_BITS-1:0] from =
          first[READ] && fault != 4'd3 ? (fault == 4'd5 ? wide : {ACCUMULATOR_BITS{1'b0}}) :
          stored[o*ACCUMULATOR_BITS+:ACCUMULATOR_BITS];
      assign sums[o*ACCUMULATOR_BITS+:ACCUMULATOR_BITS] = from + wide;
    end

    wire [HALVES*WIDTH-1:0] data;
    for (h = 0; h < HALVES; h = h + 1) begin : sums_of
      // A half that is complete has no point on its way, so its port is free for the post-processing.
      wire mine = valid[SUMMED] && (HALVES == 1 || half[SUMMED] == h);
      wire asked = read_enable && (HALVES == 1 || read_half == h);
      wire read = mine ? advance : asked;
      wire [ENTRY_BITS-1:0] read_address = mine ? entry[SUMMED] : read_entry;
      wire [ENTRY_BITS-1:0] write_address = entry[ADDED];
      wire write = advance && valid[ADDED] && (HALVES == 1 || half[ADDED] == h);
      tile_sums #(
          .WIDTH(WIDTH),
          .DEPTH(OUTPUT_WORDS),
          .ADDRESS_BITS(ENTRY_BITS)
      ) ram (
          .clk(clk),
          .read(read),
          .read_address(read_address),
          .read_data(data[h*WIDTH+:WIDTH]),
          .write(write),
          .write_address(write_address),
          .write_data(total)
      );
      `SIMPLE_DUAL_PORT(memory, write, {mine && advance, asked}, fault == 4'd15)
    end
    if (HALVES == 1) begin : single
      assign stored = data;
      assign read_data = data;
    end else begin : double_buffer
      reg asked_half;
      always @(posedge clk) if (read_enable) asked_half <= read_half;
      assign stored = half[READ] ? data[WIDTH+:WIDTH] : data[0+:WIDTH];
      assign read_data = asked_half ? data[WIDTH+:WIDTH] : data[0+:WIDTH];
    end
  endgenerate

  stream_register #(
      .WIDTH(1)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(complete),
      .in_ready(sums_room),
      .in_data(half[LATENCY-1]),
      .out_valid(sums_valid),
      .out_ready(sums_ready),
      .out_full(sums_full),
      .out_data(sums_half)
  );
endmodule
