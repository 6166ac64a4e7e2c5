// SPDX-License-Identifier: Apache-2.0
// Sums the entries of a reconfigurable-LUT kernel's tables, each slice at its place, and a constant: a register per stage
// of counters until no column has more than three bits, then a ternary adder and its register. In every stage and column
// from the lowest: as many counters of two sixes as the column and the one above the next have sixes, then counters of
// six, then one of three if three bits are there and more than three would be left.
// `fault`: 1 does not hold its stages while `sums` is full, 2 leaves the constant out, 3 loses a counter's highest bit.
module compressor_tree #(
    parameter INPUTS = 9,
    parameter INPUT_BITS = 8,
    parameter COEFFICIENT_BITS = 8,
    parameter FAITHFUL = 0
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire                                                             entries_valid,
    output wire                                                             entries_ready,
    input  wire [((INPUT_BITS+3)/4)*INPUTS*(COEFFICIENT_BITS+4)-1:0] entries_bits,

    output wire                                                                                             sums_valid,
    input  wire                                                                                             sums_ready,
    output wire                                                                                             sums_full,
    output wire [(FAITHFUL==1 ? INPUT_BITS : COEFFICIENT_BITS+INPUT_BITS+$clog2(INPUTS+1))-1:0] sums_value
);
  `include "lut_kernel.vh"
  localparam [11:0] TERMS = INPUTS[11:0];
  localparam MOST = INPUTS * SLICES + 8;  // bits of a column, and some room for carries

  function [63:0] constant_bits(input integer unused);
    integer s;
    reg [63:0] cut;
    begin
      cut = 64'd0;
      constant_bits = 64'd0;
      for (s = 0; s < SLICES; s = s + 1) begin
        cut = cut + ((64'd1 << (first_bit(s) + 4 * s)) - (64'd1 << (4 * s))) * INPUTS;
        constant_bits = constant_bits - (64'd1 << (PRODUCT - 1 + 4 * s)) * INPUTS;
      end
      if (SUM > OUTPUT)
        constant_bits = constant_bits + (64'd1 << (SUM - OUTPUT - 1)) + (((cut >> 1) >> first_bit(0)) << first_bit(0));
    end
  endfunction
  localparam [63:0] CONSTANT = constant_bits(0);

  // Of the slices that have a bit at `column`, those below `slice`.
  function [11:0] slices_before(input integer column, input integer slice);
    integer s;
    begin
      slices_before = 12'd0;
      for (s = 0; s < slice; s = s + 1)
      if (column - 4 * s >= first_bit(s) && column - 4 * s < PRODUCT) slices_before = slices_before + 12'd1;
    end
  endfunction

  // Of each column 40 bits: bits before the stage (12), counters of two sixes (12), of six (12), of three (4).
  function [40*64-1:0] plan(input integer stage);
    reg [12*68-1:0] left, given;
    reg [11:0] two, six, three, high;
    integer t, c;
    begin
      left = {12 * 68{1'b0}};
      for (c = 0; c < SUM; c = c + 1)
      left[12*c+:12] = slices_before(c, SLICES) * TERMS + {11'd0, CONSTANT[c]};
      for (t = 0; t <= stage; t = t + 1) begin
        given = {12 * 68{1'b0}};
        for (c = 0; c < SUM; c = c + 1) plan[40*c+:12] = left[12*c+:12];
        for (c = 0; c < SUM; c = c + 1) begin
          high = c + 2 < SUM ? left[12*(c+2)+:12] / 12'd6 : 12'd0;
          two = left[12*c+:12] / 12'd6;
          if (high < two) two = high;
          left[12*c+:12] = left[12*c+:12] - 12'd6 * two;
          left[12*(c+2)+:12] = left[12*(c+2)+:12] - 12'd6 * two;
          six = left[12*c+:12] / 12'd6;
          left[12*c+:12] = left[12*c+:12] - 12'd6 * six;
          given[12*c+:12] = given[12*c+:12] + two + six;
          three = left[12*c+:12] >= 12'd3 && left[12*c+:12] + given[12*c+:12] > 12'd3 ? 12'd1 : 12'd0;
          left[12*c+:12] = left[12*c+:12] - 12'd3 * three;
          given[12*c+:12] = given[12*c+:12] + three;
          given[12*(c+1)+:12] = given[12*(c+1)+:12] + two + six + three;
          given[12*(c+2)+:12] = given[12*(c+2)+:12] + two + six;
          given[12*(c+3)+:12] = given[12*(c+3)+:12] + two;
          given[12*(c+4)+:12] = given[12*(c+4)+:12] + two;
          plan[40*c+12+:12] = two;
          plan[40*c+24+:12] = six;
          plan[40*c+36+:4] = three[3:0];
        end
        for (c = 0; c < SUM; c = c + 1) left[12*c+:12] = left[12*c+:12] + given[12*c+:12];
      end
    end
  endfunction

  function integer highest(input [40*64-1:0] of_stage);
    integer c;
    begin
      highest = 0;
      for (c = 0; c < SUM; c = c + 1) if ({20'd0, of_stage[40*c+:12]} > highest) highest = {20'd0, of_stage[40*c+:12]};
    end
  endfunction

  function integer stages(input integer unused);
    integer t;
    begin
      stages = 16;
      for (t = 15; t >= 0; t = t - 1) if (highest(plan(t)) <= 3) stages = t;
    end
  endfunction
  localparam STAGES = stages(0);

  // A field of a column, 0 below the lowest one.
  function integer field(input [40*64-1:0] of_stage, input integer column, input integer at);
    field = column < 0 ? 0 : at == 36 ? {28'd0, of_stage[40*column+36+:4]} : {20'd0, of_stage[40*column+at+:12]};
  endfunction

  reg [STAGES:0] valid;
  wire room;
  wire advance = !valid[STAGES] || room || fault == 4'd1;
  wire [STAGES+1:0] entering = {valid, entries_valid};
  assign entries_ready = advance;
  always @(posedge clk) begin
    if (rst) valid <= {STAGES + 1{1'b0}};
    else if (advance) valid <= entering[STAGES:0];
  end

  // A column of the next stage: what counters of two sixes give it, the lowest bits first; of six; of three; the rest.
  function integer given_by(input [40*64-1:0] of_stage, input integer column, input integer at, input integer outputs);
    integer j;
    begin
      given_by = 0;
      for (j = 0; j < outputs; j = j + 1) given_by = given_by + field(of_stage, column - j, at);
    end
  endfunction

  genvar t, c, s, i, k, j;
  generate
    for (t = 0; t <= STAGES; t = t + 1) begin : stage
      localparam [40*64-1:0] PLAN = plan(t);
      localparam [40*64-1:0] FROM = plan(t == 0 ? 0 : t - 1);
      wire [SUM*MOST-1:0] bits;
      for (c = 0; c < SUM; c = c + 1) begin : fill
        for (k = field(PLAN, c, 0); k < MOST; k = k + 1) begin : unused
          assign bits[c*MOST+k] = 1'b0;
        end
      end
      if (t == 0) begin : heap
        for (c = 0; c < SUM; c = c + 1) begin : column
          for (s = 0; s < SLICES; s = s + 1) begin : slice
            if (c - 4 * s >= first_bit(s) && c - 4 * s < PRODUCT) begin : there
              localparam AT = c * MOST + slices_before(c, s) * INPUTS;
              for (i = 0; i < INPUTS; i = i + 1) begin : entry
                assign bits[AT+i] = entries_bits[(s*INPUTS+i)*PRODUCT+c-4*s];
              end
            end
          end
          if (CONSTANT[c]) begin : one
            localparam AT = c * MOST + slices_before(c, SLICES) * INPUTS;
            assign bits[AT] = fault != 4'd2;
          end
        end
      end else begin : counters
        for (c = 0; c < SUM; c = c + 1) begin : column
          localparam TWO = field(FROM, c, 12);
          localparam SIX = field(FROM, c, 24);
          localparam THREE = field(FROM, c, 36);
          localparam AT_TWO = 6 * field(FROM, c - 2, 12);  // behind those that a counter two columns below takes
          localparam AT_SIX = AT_TWO + 6 * TWO;
          localparam AT_THREE = AT_SIX + 6 * SIX;
          localparam AT_REST = AT_THREE + 3 * THREE;
          for (k = 0; k < TWO; k = k + 1) begin : two_sixes
            wire [4:0] count;
            counter_606 counter (
                .low  (stage[t-1].bits[c*MOST+AT_TWO+6*k+:6]),
                .high (stage[t-1].bits[(c+2)*MOST+6*k+:6]),
                .count(count)
            );
            for (j = 0; j < 5 && c + j < SUM; j = j + 1) begin : result
              localparam AT = (c + j) * MOST + given_by(FROM, c + j, 12, j) + k;
              reg held;
              always @(posedge clk) if (advance) held <= count[j] && !(fault == 4'd3 && j == 4);
              assign bits[AT] = held;
            end
          end
          for (k = 0; k < SIX; k = k + 1) begin : six
            wire [2:0] count;
            counter_63 counter (
                .bits (stage[t-1].bits[c*MOST+AT_SIX+6*k+:6]),
                .count(count)
            );
            for (j = 0; j < 3 && c + j < SUM; j = j + 1) begin : result
              localparam AT = (c + j) * MOST + given_by(FROM, c + j, 12, 5) + given_by(FROM, c + j, 24, j) + k;
              reg held;
              always @(posedge clk) if (advance) held <= count[j];
              assign bits[AT] = held;
            end
          end
          for (k = 0; k < THREE; k = k + 1) begin : three
            wire [1:0] count;
            counter_32 counter (
                .bits (stage[t-1].bits[c*MOST+AT_THREE+3*k+:3]),
                .count(count)
            );
            for (j = 0; j < 2 && c + j < SUM; j = j + 1) begin : result
              localparam SIXES = given_by(FROM, c + j, 12, 5) + given_by(FROM, c + j, 24, 3);
              localparam AT = (c + j) * MOST + SIXES + given_by(FROM, c + j, 36, j) + k;
              reg held;
              always @(posedge clk) if (advance) held <= count[j];
              assign bits[AT] = held;
            end
          end
          localparam GIVEN = given_by(FROM, c, 12, 5) + given_by(FROM, c, 24, 3) + given_by(FROM, c, 36, 2);
          for (k = 0; k < field(FROM, c, 0) - AT_REST; k = k + 1) begin : rest
            reg held;  // with a reset, so that it is no shift register
            always @(posedge clk)
              if (rst) held <= 1'b0;
              else if (advance) held <= stage[t-1].bits[c*MOST+AT_REST+k];
            assign bits[c*MOST+GIVEN+k] = held;
          end
        end
      end
    end
  endgenerate

  // The first column with more than one bit.
  function integer first_added(input integer unused);
    integer column;
    begin
      first_added = SUM;
      for (column = SUM - 1; column >= 0; column = column - 1)
      if (field(plan(STAGES), column, 0) > 1) first_added = column;
    end
  endfunction
  localparam FIRST = first_added(0);

  wire [SUM-1:0] a, b, d, total;
  generate
    for (c = 0; c < SUM; c = c + 1) begin : row
      assign a[c] = stage[STAGES].bits[c*MOST];
      assign b[c] = stage[STAGES].bits[c*MOST+1];
      assign d[c] = stage[STAGES].bits[c*MOST+2];
      if (c < FIRST) begin : single
        assign total[c] = a[c];
      end
    end
  endgenerate
  ternary_adder #(
      .WIDTH(SUM - FIRST)
  ) adder (
      .a  (a[SUM-1:FIRST]),
      .b  (b[SUM-1:FIRST]),
      .c  (d[SUM-1:FIRST]),
      .sum(total[SUM-1:FIRST])
  );
  reg [SUM-1:0] sum;
  always @(posedge clk) if (advance) sum <= total;

  stream_register #(
      .WIDTH(OUTPUT)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[STAGES]),
      .in_ready(room),
      .in_data(sum[SUM-1:SUM-OUTPUT]),
      .out_valid(sums_valid),
      .out_ready(sums_ready),
      .out_full(sums_full),
      .out_data(sums_value)
  );
endmodule
