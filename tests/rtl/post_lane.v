// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// A channel of the post-processing: bias; operands, product and sum of the multiplier; shift and round; saturate with zero
// point and ReLU; pooling. One register each, all enabled by `move`.
`include "memory_ports.vh"
module post_lane #(
    parameter ACCUMULATOR_BITS = 32,
    parameter OPERAND_BITS = 27,
    parameter HALF_UP = 1,
    parameter VALUE_BITS = 8,
    parameter OPEN = 2,
    parameter WORDS = 64
) (
    input clk,
    input move,
    input [3:0] fault,  // {asks the line memories once more, mean rounds down, no ReLU, rounds the other way}

    input [ACCUMULATOR_BITS-1:0] sum,
    input [63:0] record,

    // Beside the rounded value: of the output's format.
    input signed [15:0] zero,
    input is_unsigned,
    input relu,

    // Beside the saturated one: what it is to the windows.
    input take,
    input pools,
    input average,
    input signed [15:0] pool_zero,
    input pool_unsigned,
    input [16:0] reciprocal,  // 2^16 / area; 0: a window of one value
    input [OPEN-1:0] covers,
    input [OPEN-1:0] opens,
    input closes,
    input [OPEN-1:0] column,  // that closes, one-hot
    input [15:0] word,
    input [OPEN-1:0] line_covers,
    input [OPEN-1:0] line_opens,
    input [OPEN-1:0] line,  // the output's, one-hot
    output reg [15:0] value
);
  localparam PRODUCT_BITS = OPERAND_BITS + 16;
  localparam WORD_BITS = WORDS > 1 ? $clog2(WORDS) : 1;

  // The low bits of a sum as an operand, saturated.
  function signed [OPERAND_BITS-1:0] operand_of(input signed [63:0] wide);
    reg signed [ACCUMULATOR_BITS-1:0] wrapped;
    reg signed [63:0] high, v;
    begin
      wrapped = wide[ACCUMULATOR_BITS-1:0];
      v = wrapped;
      high = (64'sd1 << (OPERAND_BITS - 1)) - 1;
      operand_of = v > high ? high : v < -high - 1 ? -high - 1 : v;
    end
  endfunction
  function signed [15:0] clamped(input signed [63:0] v, input no_sign);
    reg signed [63:0] low;
    begin
      low = no_sign ? 0 : -(64'sd1 << (VALUE_BITS - 1));
      clamped = v < low ? low : v > low + (1 << VALUE_BITS) - 1 ? low + (1 << VALUE_BITS) - 1 : v;
    end
  endfunction

  wire signed [39:0] bias = {record[63:56], record[31:0]};
  wire signed [ACCUMULATOR_BITS-1:0] signed_sum = sum;
  wire signed [63:0] biased = signed_sum + 64'sd0 + bias;
  wire rounds = (HALF_UP == 1) != fault[0];
  reg signed [OPERAND_BITS-1:0] operand, operand4;
  reg signed [15:0] scale, scale4;
  reg signed [PRODUCT_BITS-1:0] product, product6;
  reg signed [63:0] rounded;
  reg [7:0] shift, shift4, shift5, shift6;
  wire signed [63:0] half = rounds && shift6 != 0 ? 64'sd1 << (shift6 - 8'd1) : 0;
  wire signed [63:0] wide_product = product6;
  reg signed [15:0] saturated;
  wire signed [15:0] in_range = clamped(rounded + zero, is_unsigned);
  always @(posedge clk)
    if (move) begin
      operand <= operand_of(biased);
      {shift, scale} <= record[55:32];
      {operand4, scale4, shift4} <= {operand, scale, shift};
      product <= operand4 * scale4;
      {product6, shift6, shift5} <= {product, shift5, shift4};
      rounded <= (wide_product + half) >>> shift6;
      saturated <= relu && !fault[1] && in_range < zero ? zero : in_range;
    end

  // Windows open side by side in registers, those above one another in line memories.
  function signed [31:0] joined(input first, input sums, input signed [31:0] a, input signed [31:0] b);
    joined = first ? b : sums ? a + b : a > b ? a : b;
  endfunction
  wire signed [31:0] term = average ? saturated - pool_zero : saturated;
  wire [OPEN*32-1:0] columns_now, lines_now;
  reg signed [31:0] closing, result;
  integer i;
  always @* begin
    closing = 0;
    result = 0;
    for (i = 0; i < OPEN; i = i + 1) begin
      if (column[i]) closing = closing | columns_now[32*i+:32];
      if (line[i]) result = result | lines_now[32*i+:32];
    end
  end
  genvar p;
  generate
    for (p = 0; p < OPEN; p = p + 1) begin : slot
      reg signed [31:0] held;
      assign columns_now[32*p+:32] = take && covers[p] ? joined(opens[p], average, held, term) : held;
      always @(posedge clk) if (move && pools) held <= columns_now[32*p+:32];

      (* ram_style = "distributed" *) reg [31:0] memory[0:WORDS-1];
      wire [WORD_BITS-1:0] at = word[WORD_BITS-1:0];
      wire signed [31:0] stored = memory[at];
      wire write = closes && line_covers[p];
      assign lines_now[32*p+:32] = write ? joined(line_opens[p], average, stored, closing) : stored;
      always @(posedge clk) if (move && pools && write) memory[at] <= lines_now[32*p+:32];
      `SIMPLE_DUAL_PORT(memory, move && pools && write, move && pools && closes, fault[3])
    end
  endgenerate
  wire signed [63:0] scaled_mean = operand_of(result) * $signed({47'd0, reciprocal});
  wire signed [63:0] mean = reciprocal == 0 ? result : (scaled_mean + (HALF_UP == 1 && !fault[2] ? 64'sd32768 : 64'sd0)) >>> 16;
  always @(posedge clk)
    if (move) value <= !pools ? saturated : average ? clamped(mean + pool_zero, pool_unsigned) : result[15:0];
endmodule
