// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tag.vh"

// Saturate to OPERAND_BITS, scale, shift, saturate to a pixel's byte or a gate's 16 bits: one register each. With
// scale_per_channel M and n come from the bias records {int32 bias, int16 M, uint8 n, 0}, read while the sum enters.
// fault 1: rounds the other way; 2: wraps instead of saturating the result; 3: ignores a full output.
module quantiser #(
    parameter OUTPUT_CHANNELS = 8,
    parameter ACCUMULATOR_BITS = 20,
    parameter OPERAND_BITS = 16,
    parameter HALF_UP = 0
) (
    input clk,
    input rst,
    input [3:0] fault,

    input totals_valid,
    output totals_ready,
    input [`TAG_BITS-1:0] totals_tag,
    input [OUTPUT_CHANNELS*ACCUMULATOR_BITS-1:0] totals_values,

    // These belong to the job at the head of `totals`.
    input [14:0] job_scale,
    input [4:0] job_shift,
    input [7:0] job_zero_point,
    input job_output_unsigned,
    input job_relu,
    input job_scale_per_channel,
    input job_bias_select,
    input job_recurrent_output,
    input [16:0] job_bias_base,

    // Records of one group, there one cycle later and until the next read.
    output bias_read,
    output bias_half,
    output [16:0] bias_group,
    input [OUTPUT_CHANNELS*64-1:0] bias_data,

    output pixels_valid,
    input pixels_ready,
    output pixels_full,
    output [`TAG_BITS-1:0] pixels_tag,
    output [OUTPUT_CHANNELS*8-1:0] pixels_bytes,

    output gates_valid,
    input gates_ready,
    output gates_full,
    output [`TAG_BITS-1:0] gates_tag,
    output [OUTPUT_CHANNELS*16-1:0] gates_values
);
  localparam PRODUCT_BITS = OPERAND_BITS + 16;

  reg [4:1] valid;
  reg [`TAG_BITS-1:0] tag1, tag2, tag3, tag4;
  // {recurrent_output, relu, output_unsigned, zero_point} beside the data.
  reg [10:0] mode1, mode2, mode3, mode4;
  reg per_channel1;
  reg [14:0] scale1;
  reg [4:0] shift1;

  wire pixels_push, pixels_room, gates_push, gates_room;
  wire room = mode4[10] ? gates_room : pixels_room;
  wire advance = !valid[4] || room || fault == 3;
  assign totals_ready = advance;
  assign bias_read = totals_valid && advance;
  assign bias_half = job_bias_select;
  assign bias_group = job_bias_base + totals_tag[`TAG_GROUP];

  always @(posedge clk)
    if (rst) valid <= 0;
    else if (advance) valid <= {valid[3:1], totals_valid};

  always @(posedge clk)
    if (advance) begin
      {tag4, tag3, tag2, tag1} <= {tag3, tag2, tag1, totals_tag};
      {mode4, mode3, mode2} <= {mode3, mode2, mode1};
      mode1 <= {job_recurrent_output, job_relu, job_output_unsigned, job_zero_point};
      per_channel1 <= job_scale_per_channel;
      scale1 <= job_scale;
      shift1 <= job_shift;
    end

  wire [OUTPUT_CHANNELS*16-1:0] results;
  genvar o;
  generate
    for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : channel
      wire signed [ACCUMULATOR_BITS-1:0] total = totals_values[o*ACCUMULATOR_BITS+:ACCUMULATOR_BITS];
      reg signed [OPERAND_BITS-1:0] operand1;
      reg signed [PRODUCT_BITS-1:0] product2, shifted3;
      reg [4:0] shift2;
      reg signed [15:0] result4;

      wire signed [OPERAND_BITS-1:0] operand;
      if (ACCUMULATOR_BITS > OPERAND_BITS) begin : saturating
        wire fits = &total[ACCUMULATOR_BITS-1:OPERAND_BITS-1] || !(|total[ACCUMULATOR_BITS-1:OPERAND_BITS-1]);
        assign operand = fits ? total[OPERAND_BITS-1:0] :
            {total[ACCUMULATOR_BITS-1], {(OPERAND_BITS - 1) {!total[ACCUMULATOR_BITS-1]}}};
      end else begin : whole
        assign operand = total;
      end

      wire signed [15:0] scale = {1'b0, per_channel1 ? bias_data[o*64+32+:15] : scale1};
      wire [4:0] shift = per_channel1 ? bias_data[o*64+48+:5] : shift1;

      wire rounds = (HALF_UP != 0) ^ (fault == 1);
      wire signed [PRODUCT_BITS-1:0] half = rounds && shift2 != 0 ? $signed(1) << (shift2 - 5'd1) : 0;

      wire is_unsigned = mode3[8];
      wire signed [8:0] zero = {!is_unsigned && mode3[7], mode3[7:0]};
      wire signed [PRODUCT_BITS:0] value = shifted3 + (mode3[10] ? 9'sd0 : zero);
      wire signed [PRODUCT_BITS:0] low = mode3[10] ? -32768 : is_unsigned ? 0 : -128;
      wire signed [PRODUCT_BITS:0] high = mode3[10] ? 32767 : is_unsigned ? 255 : 127;
      wire signed [15:0] result = fault == 2 ? value[15:0] : value < low ? low[15:0] :
          value > high ? high[15:0] : value[15:0];
      wire clamp = mode3[9] && result < zero;

      always @(posedge clk)
        if (advance) begin
          operand1 <= operand;
          product2 <= operand1 * scale;
          shift2 <= shift;
          shifted3 <= (product2 + half) >>> shift2;
          result4 <= clamp ? zero : result;
        end
      assign results[o*16+:16] = result4;
    end
  endgenerate

  assign pixels_push = valid[4] && !mode4[10];
  assign gates_push  = valid[4] && mode4[10];

  wire [OUTPUT_CHANNELS*8-1:0] bytes;
  generate
    for (o = 0; o < OUTPUT_CHANNELS; o = o + 1) begin : narrow
      assign bytes[o*8+:8] = results[o*16+:8];
    end
  endgenerate

  stream_register #(
      .WIDTH(`TAG_BITS + OUTPUT_CHANNELS * 8)
  ) pixels (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(pixels_push),
      .in_ready(pixels_room),
      .in_data({tag4, bytes}),
      .out_valid(pixels_valid),
      .out_ready(pixels_ready),
      .out_full(pixels_full),
      .out_data({pixels_tag, pixels_bytes})
  );
  stream_register #(
      .WIDTH(`TAG_BITS + OUTPUT_CHANNELS * 16)
  ) gates (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(gates_push),
      .in_ready(gates_room),
      .in_data({tag4, results}),
      .out_valid(gates_valid),
      .out_ready(gates_ready),
      .out_full(gates_full),
      .out_data({gates_tag, gates_values})
  );
endmodule
