// SPDX-License-Identifier: Apache-2.0
// Turns coefficients into the bits that reload their tables: per coefficient c an accumulator counts 15c, 14c, ... 0 down,
// another -1c, ... -8c, 7c, ... 0; first as they are, then doubled, so that the tables find odd and even bits in the same
// places. Sign bits are inverted.
// `fault`: 1 does not invert the sign bits, 2 counts on past -8c, 3 sends the even bits first, 4 counts while `reload` is
// full.
module reload_controller #(
    parameter INPUTS = 9,
    parameter COEFFICIENT_BITS = 8
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire                               coefficients_valid,
    output wire                               coefficients_ready,
    input  wire [INPUTS*COEFFICIENT_BITS-1:0] coefficients_values,

    output wire                                   reload_valid,
    input  wire                                   reload_ready,
    output wire                                   reload_full,
    output wire [INPUTS*(COEFFICIENT_BITS+5)-1:0] reload_lower,
    output wire [INPUTS*(COEFFICIENT_BITS+5)-1:0] reload_top
);
  localparam BITS = COEFFICIENT_BITS + 4;
  localparam WORD = BITS + 1;

  reg [5:0] left;
  wire room;
  wire busy = left != 6'd0;
  wire push = busy && (room || fault == 4'd4);
  assign coefficients_ready = !busy || (push && left == 6'd1);
  wire take = coefficients_valid && coefficients_ready;
  // After the first beat of a half 15 are left, after its eighth 8.
  wire second_half = left == 6'd17;
  wire middle = (left == 6'd24 || left == 6'd8) && fault != 4'd2;
  wire even = (left <= 6'd16) ^ (fault == 4'd3);

  always @(posedge clk) begin
    if (rst) left <= 6'd0;
    else if (take) left <= 6'd32;
    else if (push) left <= left - 6'd1;
  end

  wire [INPUTS*WORD-1:0] lower_words, top_words;
  genvar i;
  generate
    for (i = 0; i < INPUTS; i = i + 1) begin : coefficient
      wire [COEFFICIENT_BITS-1:0] value = coefficients_values[i*COEFFICIENT_BITS+:COEFFICIENT_BITS];
      reg [COEFFICIENT_BITS-1:0] c;
      reg [BITS-1:0] lower, top;
      wire [BITS-1:0] wide = {{4{c[COEFFICIENT_BITS-1]}}, c};
      wire [BITS-1:0] eight = {c[COEFFICIENT_BITS-1], c, 3'd0};
      wire [BITS-1:0] lower_next = lower - wide;
      wire [BITS-1:0] top_next = (middle ? eight : top) - wide;
      wire [BITS-1:0] sign = {fault != 4'd1, {(BITS - 1) {1'b0}}};
      wire [BITS-1:0] lower_bits = lower_next ^ sign, top_bits = top_next ^ sign;
      assign lower_words[i*WORD+:WORD] = even ? {lower_bits, 1'b0} : {1'b0, lower_bits};
      assign top_words[i*WORD+:WORD]   = even ? {top_bits, 1'b0} : {1'b0, top_bits};
      always @(posedge clk) begin
        if (take) begin
          c <= value;
          lower <= {value, 4'd0};
          top <= {BITS{1'b0}};
        end else if (push) begin
          lower <= second_half ? {c, 4'd0} : lower_next;
          top   <= second_half ? {BITS{1'b0}} : top_next;
        end
      end
    end
  endgenerate

  stream_register #(
      .WIDTH(2 * INPUTS * WORD)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(busy),
      .in_ready(room),
      .in_data({top_words, lower_words}),
      .out_valid(reload_valid),
      .out_ready(reload_ready),
      .out_full(reload_full),
      .out_data({reload_top, reload_lower})
  );
endmodule
