// SPDX-License-Identifier: Apache-2.0
// The median of a window by a network of exchanges (median_network.vh), or its smallest or largest value by a tree of
// them, each slice for as many samples as it has lanes: two of 16 bits, or with FOUR12 four of 8. A smaller window is
// filled up with as many of the lowest as of the highest value for the median, with its centre for the others. Beats
// are never refused and results must not be. `fault`: 1 and 2 those of line_window, 3 takes values as without sign, 4
// the smallest for the largest, 5 fills a smaller window up with the lowest value alone, 6 turns the last exchange round.
module median_unit #(
    parameter SAMPLES = 4,
    parameter LINE_SAMPLES = 2048,
    parameter KERNEL = 3,
    parameter NETWORK = 0,
    parameter FOUR12 = 1
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire        [ 2:0] job_radius,
    input wire        [ 1:0] job_channels,
    input wire        [15:0] job_row_steps,
    input wire        [ 1:0] job_border,
    input wire        [15:0] job_border_value,
    input wire signed [16:0] job_left,
    input wire signed [16:0] job_right,
    input wire signed [16:0] job_top,
    input wire signed [16:0] job_bottom,
    input wire        [ 1:0] job_operation,     // 0 median, 1 smallest, 2 largest
    input wire               job_signed,        // of the samples that come

    input  wire                  start_valid,
    output wire                  start_ready,
    input  wire                  in_valid,
    output wire                  in_ready,
    input  wire [SAMPLES*16-1:0] in_samples,
    output wire                  out_valid,
    input  wire                  out_ready,
    output wire                  out_full,
    output wire [SAMPLES*16-1:0] out_samples
);
  localparam BITS = FOUR12 == 1 ? 8 : 16;
  localparam LANES = FOUR12 == 1 ? 4 : 2;
  localparam GROUPS = (SAMPLES + LANES - 1) / LANES;
  localparam RADIUS = KERNEL / 2;
  localparam VALUES = KERNEL * KERNEL;
  localparam WORD = LANES * BITS;
  localparam LEVELS = $clog2(VALUES);
  `include "median_network.vh"

  assign start_ready = 1'b1;
  assign in_ready = 1'b1;
  wire is_signed = job_signed && fault != 4'd3;
  wire extremes = job_operation != 2'd0;
  wire largest = job_operation == 2'd2 && fault != 4'd4;
  wire [BITS-1:0] lowest = {job_signed, {BITS - 1{1'b0}}};

  wire window_valid;
  wire [SAMPLES*BITS-1:0] samples;
  wire [SAMPLES*VALUES*BITS-1:0] windows;
  line_window #(
      .SAMPLES(SAMPLES),
      .LINE_SAMPLES(LINE_SAMPLES),
      .KERNEL(KERNEL),
      .BITS(BITS)
  ) lines (
      .clk(clk),
      .rst(rst),
      .fault(fault),
      .begin_job(start_valid),
      .job_radius(job_radius),
      .job_channels(job_channels),
      .job_row_steps(job_row_steps),
      .job_border(job_border),
      .job_border_value(job_border_value[BITS-1:0]),
      .job_left(job_left),
      .job_right(job_right),
      .job_top(job_top),
      .job_bottom(job_bottom),
      .in_valid(in_valid),
      .in_samples(samples),
      .out_valid(window_valid),
      .out_windows(windows)
  );

  reg [3*DEPTH-1:0] valid;
  wire [3*DEPTH:0] valids = {valid, window_valid};
  always @(posedge clk) begin
    if (rst) valid <= {3 * DEPTH{1'b0}};
    else valid <= valids[3*DEPTH-1:0];
  end

  wire [SAMPLES*16-1:0] results;
  genvar g, l, s, v;
  generate
    for (l = 0; l < SAMPLES; l = l + 1) begin : sample
      assign samples[l*BITS+:BITS] = in_samples[l*16+:BITS];
    end
    for (g = 0; g < GROUPS; g = g + 1) begin : group
      // Value v of every sample, behind layer s of the network.
      wire [(DEPTH+1)*VALUES*WORD-1:0] layer;
      for (v = 0; v < VALUES; v = v + 1) begin : value
        localparam DOWN = v / KERNEL > RADIUS ? v / KERNEL - RADIUS : RADIUS - v / KERNEL;
        localparam RIGHT = v % KERNEL > RADIUS ? v % KERNEL - RADIUS : RADIUS - v % KERNEL;
        localparam AWAY = DOWN > RIGHT ? DOWN : RIGHT;
        for (l = 0; l < LANES; l = l + 1) begin : lane
          localparam FROM = (g * LANES + l) * VALUES * BITS;
          if (g * LANES + l >= SAMPLES) begin : none
            assign layer[v*WORD+l*BITS+:BITS] = {BITS{1'b0}};
          end else if (AWAY <= 1) begin : always_inside
            assign layer[v*WORD+l*BITS+:BITS] = windows[FROM+v*BITS+:BITS];
          end else begin : maybe
            wire [BITS-1:0] filling = extremes ? windows[FROM+VALUES/2*BITS+:BITS] :
                                      v % 2 == 0 || fault == 4'd5 ? lowest : ~lowest;
            assign layer[v*WORD+l*BITS+:BITS] = job_radius < AWAY[2:0] ? filling : windows[FROM+v*BITS+:BITS];
          end
        end
      end
      for (s = 0; s < DEPTH; s = s + 1) begin : stage
        for (v = 0; v < VALUES; v = v + 1) begin : place
          localparam [6:0] PART = LAYERS[ROW*s+7*v+:7];
          localparam HERE = (s * VALUES + v) * WORD;
          localparam THERE = (s * VALUES + {27'd0, PART[4:0]}) * WORD;
          localparam NEXT = VALUES * WORD;
          if (PART[6:5] == 2'b10) begin : low
            wire [WORD-1:0] least, most;
            exchange #(
                .LANES(LANES),
                .BITS(BITS)
            ) of_two (
                .clk(clk),
                .is_signed(is_signed),
                .backwards(s == DEPTH - 1 && fault == 4'd6),
                .a(layer[HERE+:WORD]),
                .b(layer[THERE+:WORD]),
                .least(least),
                .most(most)
            );
            assign layer[HERE+NEXT+:WORD]  = least;
            assign layer[THERE+NEXT+:WORD] = most;
          end else if (PART[6:5] != 2'b11) begin : alone
            delay_line #(
                .WIDTH(WORD),
                .EDGES(3)
            ) waiting (
                .clk(clk),
                .enable(1'b1),
                .in(layer[HERE+:WORD]),
                .out(layer[HERE+NEXT+:WORD])
            );
          end
        end
      end

      // The smallest or largest: pairs, and what is left over, level by level.
      for (s = 0; s <= LEVELS; s = s + 1) begin : level
        localparam COUNT = (VALUES + (1 << s) - 1) >> s;
        wire [COUNT*WORD-1:0] kept;
        if (s == 0) begin : first
          assign kept = layer[VALUES*WORD-1:0];
        end else begin : further
          for (v = 0; v < COUNT; v = v + 1) begin : place
            localparam BEFORE = (VALUES + (1 << (s - 1)) - 1) >> (s - 1);
            if (2 * v + 1 < BEFORE) begin : pair
              exchange #(
                  .LANES(LANES),
                  .BITS(BITS)
              ) of_two (
                  .clk(clk),
                  .is_signed(is_signed),
                  .backwards(largest),
                  .a(level[s-1].kept[2*v*WORD+:WORD]),
                  .b(level[s-1].kept[(2*v+1)*WORD+:WORD]),
                  .least(kept[v*WORD+:WORD]),
                  .most()
              );
            end else begin : single
              delay_line #(
                  .WIDTH(WORD),
                  .EDGES(3)
              ) waiting (
                  .clk(clk),
                  .enable(1'b1),
                  .in(level[s-1].kept[2*v*WORD+:WORD]),
                  .out(kept[v*WORD+:WORD])
              );
            end
          end
        end
      end
      wire [WORD-1:0] extreme;
      delay_line #(
          .WIDTH(WORD),
          .EDGES(3 * (DEPTH - LEVELS))
      ) rest (
          .clk(clk),
          .enable(1'b1),
          .in(level[LEVELS].kept),
          .out(extreme)
      );
      for (l = 0; l < LANES; l = l + 1) begin : result
        if (g * LANES + l < SAMPLES) begin : exists
          wire [BITS-1:0] value = extremes ? extreme[l*BITS+:BITS] :
                                             layer[(DEPTH*VALUES+VALUES/2)*WORD+l*BITS+:BITS];
          if (BITS == 16) begin : wide
            assign results[(g*LANES+l)*16+:16] = value;
          end else begin : narrow
            assign results[(g*LANES+l)*16+:16] = {8'd0, value};
          end
        end
      end
    end
  endgenerate

  stream_register #(
      .WIDTH(SAMPLES * 16)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valids[3*DEPTH]),
      .in_ready(),
      .in_data(results),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_full(out_full),
      .out_data(out_samples)
  );
endmodule
