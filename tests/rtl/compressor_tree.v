// SPDX-License-Identifier: Apache-2.0
// The compressor of a reconfigurable-LUT kernel between two streams.
// `fault`: 1 does not hold its stages while `sums` is full, 2 leaves the constant out, 3 loses a counter's highest bit.
module compressor_tree #(
    parameter INPUTS = 9,
    parameter INPUT_BITS = 8,
    parameter COEFFICIENT_BITS = 8,
    parameter FAITHFUL = 0,
    parameter SLICE_BITS = 4
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire                                                             entries_valid,
    output wire                                                             entries_ready,
    input  wire [(INPUT_BITS+SLICE_BITS-1)/SLICE_BITS*INPUTS*(COEFFICIENT_BITS+SLICE_BITS)-1:0] entries_bits,

    output wire                                                                                             sums_valid,
    input  wire                                                                                             sums_ready,
    output wire                                                                                             sums_full,
    output wire [(FAITHFUL==1 ? INPUT_BITS : COEFFICIENT_BITS+INPUT_BITS+$clog2(INPUTS+1))-1:0] sums_value
);
  `include "lut_kernel.vh"
  `include "compressor_plan.vh"

  reg [STAGES:0] valid;
  wire room;
  wire advance = !valid[STAGES] || room || fault == 4'd1;
  wire [STAGES+1:0] entering = {valid, entries_valid};
  assign entries_ready = advance;
  always @(posedge clk) begin
    if (rst) valid <= {STAGES + 1{1'b0}};
    else if (advance) valid <= entering[STAGES:0];
  end

  wire [OUTPUT-1:0] value;
  compressor #(
      .INPUTS(INPUTS),
      .INPUT_BITS(INPUT_BITS),
      .COEFFICIENT_BITS(COEFFICIENT_BITS),
      .FAITHFUL(FAITHFUL),
      .SLICE_BITS(SLICE_BITS)
  ) sum (
      .clk(clk),
      .rst(rst),
      .enable(advance),
      .no_constant(fault == 4'd2),
      .lose_carry(fault == 4'd3),
      .entries_bits(entries_bits),
      .value(value)
  );

  stream_register #(
      .WIDTH(OUTPUT)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[STAGES]),
      .in_ready(room),
      .in_data(value),
      .out_valid(sums_valid),
      .out_ready(sums_ready),
      .out_full(sums_full),
      .out_data(sums_value)
  );
endmodule
