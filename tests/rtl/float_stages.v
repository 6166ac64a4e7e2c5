// SPDX-License-Identifier: Apache-2.0
// The handshake of a block of STAGES registers that all move together, and the register of its results.
// `fault` 1 does not hold the stages while `results` is full.
module float_stages #(
    parameter STAGES = 3,
    parameter WIDTH = 32
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire             operands_valid,
    output wire             operands_ready,
    output wire             advance,
    input  wire [WIDTH-1:0] last,

    output wire             results_valid,
    input  wire             results_ready,
    output wire             results_full,
    output wire [WIDTH-1:0] results_data
);
  reg [STAGES-1:0] valid;
  wire [STAGES:0] entering = {valid, operands_valid};
  wire room;
  assign advance = !valid[STAGES-1] || room || fault == 4'd1;
  assign operands_ready = advance;
  always @(posedge clk) begin
    if (rst) valid <= {STAGES{1'b0}};
    else if (advance) valid <= entering[STAGES-1:0];
  end

  stream_register #(
      .WIDTH(WIDTH)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(valid[STAGES-1]),
      .in_ready(room),
      .in_data(last),
      .out_valid(results_valid),
      .out_ready(results_ready),
      .out_full(results_full),
      .out_data(results_data)
  );
endmodule
