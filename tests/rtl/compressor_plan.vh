// SPDX-License-Identifier: Apache-2.0
// Which counters sum the entries of a kernel's tables and its constant, for modules that include lut_kernel.vh.
// In every stage and column from the lowest: as many counters of two sixes as the column and the one above the next have
// sixes, then counters of six, then one of three if three bits are there and more than three would be left.
localparam [11:0] TERMS = INPUTS[11:0];
localparam MOST = INPUTS * SLICES + 8;  // bits of a column, and some room for carries

function [63:0] constant_bits(input integer unused);
  integer s;
  reg [63:0] cut;
  begin
    cut = 64'd0;
    constant_bits = 64'd0;
    for (s = 0; s < SLICES; s = s + 1) begin
      cut = cut + ((64'd1 << (first_bit(s) + SLICE_BITS * s)) - (64'd1 << (SLICE_BITS * s))) * INPUTS;
      constant_bits = constant_bits - (64'd1 << (PRODUCT - 1 + SLICE_BITS * s)) * INPUTS;
    end
    if (SUM > OUTPUT)
      constant_bits = constant_bits + (64'd1 << (SUM - OUTPUT - 1)) + (((cut >> 1) >> first_bit(0)) << first_bit(0));
  end
endfunction
localparam [63:0] CONSTANT = constant_bits(0);

// Counts the slices below `slice` that have a bit at `column`.
function [11:0] slices_before(input integer column, input integer slice);
  integer s;
  begin
    slices_before = 12'd0;
    for (s = 0; s < slice; s = s + 1)
    if (column - SLICE_BITS * s >= first_bit(s) && column - SLICE_BITS * s < PRODUCT) slices_before = slices_before + 12'd1;
  end
endfunction

// A column has 40 bits: bits before the stage (12), counters of two sixes (12), of six (12), of three (4).
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
  begin
    stages = 0;
    while (highest(plan(stages)) > 3) stages = stages + 1;
  end
endfunction
localparam STAGES = stages(0);

// A field of a column, 0 below the lowest one.
function integer field(input [40*64-1:0] of_stage, input integer column, input integer at);
  field = column < 0 ? 0 : at == 36 ? {28'd0, of_stage[40*column+36+:4]} : {20'd0, of_stage[40*column+at+:12]};
endfunction

// A column of the next stage: what counters of two sixes give it, the lowest bits first; of six; of three; the rest.
function integer given_by(input [40*64-1:0] of_stage, input integer column, input integer at, input integer outputs);
  integer j;
  begin
    given_by = 0;
    for (j = 0; j < outputs; j = j + 1) given_by = given_by + field(of_stage, column - j, at);
  end
endfunction
