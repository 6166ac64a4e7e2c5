// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
/* verilator lint_off PINCONNECTEMPTY */

// Bias records by the group: OUTPUT_CHANNELS of 8 bytes, or as many of 4 in the lower half of the data. Two copies, so
// that accumulator and quantiser read on their own; both get their data one cycle later.
module bias_buffer #(
    parameter OUTPUT_CHANNELS = 8,
    parameter BEAT_BYTES = 16,
    parameter HALF_BYTES = 4096
) (
    input clk,
    input rst,

    input claim,
    input claim_half,
    input free,
    output [1:0] readable,
    input write,
    input target_half,  // of write and free
    input [BEAT_BYTES*8-1:0] write_data,

    input bias_enable,
    input bias_half,
    input [16:0] bias_group,
    input bias_long,            // records of 8 bytes
    output [OUTPUT_CHANNELS*64-1:0] bias_data,

    input scale_enable,
    input scale_half,
    input [16:0] scale_group,
    output [OUTPUT_CHANNELS*64-1:0] scale_data
);
  localparam ROW_BYTES = OUTPUT_CHANNELS * 8;
  wire [OUTPUT_CHANNELS*64-1:0] row;
  wire [2:0] ready;
  reg upper;
  always @(posedge clk) if (bias_enable) upper <= !bias_long && bias_group[0];
  assign bias_data = upper ? row >> (OUTPUT_CHANNELS * 32) : row;
  assign readable = ready[1:0];

  ping_pong #(
      .WRITE_BYTES(BEAT_BYTES), .READ_BYTES(ROW_BYTES), .HALF_BYTES(HALF_BYTES), .READ_LATENCY(1)
  ) biases (
      .clk, .rst, .fault(4'd0), .claim, .claim_target({1'b0, claim_half}), .free, .free_target({1'b0, target_half}),
      .readable(ready), .write, .write_target({1'b0, target_half}), .write_address(16'd0), .write_data,
      .read(bias_enable), .advance(1'b1), .read_target({1'b0, bias_half}), .read_address(bias_long ? bias_group : bias_group >> 1),
      .read_data(row)
  );
  ping_pong #(
      .WRITE_BYTES(BEAT_BYTES), .READ_BYTES(ROW_BYTES), .HALF_BYTES(HALF_BYTES), .READ_LATENCY(1)
  ) scales (
      .clk, .rst, .fault(4'd0), .claim, .claim_target({1'b0, claim_half}), .free, .free_target({1'b0, target_half}),
      .readable(), .write, .write_target({1'b0, target_half}), .write_address(16'd0), .write_data,
      .read(scale_enable), .advance(1'b1), .read_target({1'b0, scale_half}), .read_address(scale_group),
      .read_data(scale_data)
  );
endmodule
