// SPDX-License-Identifier: Apache-2.0
// The converter of docs/float.md from (1,FROM_E,FROM_M) in one stage.
// `fault`: 1 does not hold its stage while `results` is full, 2 does not bias the exponent anew, 3 drops the sign.
module float_converter #(
    parameter FROM_E = 8,
    parameter FROM_M = 23,
    parameter E = 8,
    parameter M = 23,
    parameter NEAREST = 0
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire           operands_valid,
    output wire           operands_ready,
    input  wire [FROM_E+FROM_M:0] operands_a,

    output wire         results_valid,
    input  wire         results_ready,
    output wire         results_full,
    output wire [E+M:0] results_word,
    output wire         results_saturated,
    output wire         results_underflowed
);
  localparam W = FROM_M > M ? FROM_M + 1 : M + 1;
  localparam X = (FROM_E > E ? FROM_E : E) + 8;
  localparam signed [X-1:0] BIAS = (1 << (E - 1)) - (1 << (FROM_E - 1));  // what is added to the exponent

  wire advance;
  reg [E+M:0] word;
  reg saturated, underflowed;
  float_stages #(
      .STAGES(1),
      .WIDTH(E + M + 3)
  ) stages (
      .clk(clk),
      .rst(rst),
      .fault(fault),
      .operands_valid(operands_valid),
      .operands_ready(operands_ready),
      .advance(advance),
      .last({underflowed, saturated, word}),
      .results_valid(results_valid),
      .results_ready(results_ready),
      .results_full(results_full),
      .results_data({results_underflowed, results_saturated, results_word})
  );

  wire [FROM_E-1:0] biased = operands_a[FROM_M+:FROM_E];
  wire [W+FROM_M:0] padded = {1'b1, operands_a[FROM_M-1:0], {W{1'b0}}};
  wire [W-1:0] normal = biased == {FROM_E{1'b0}} ? {W{1'b0}} : padded[W+FROM_M-:W];
  wire signed [X-1:0] exponent = $signed({{X - FROM_E{1'b0}}, biased}) + (fault == 4'd2 ? $signed({X{1'b0}}) : BIAS);

  wire [E+M:0] rounded;
  wire over, under;
  float_finish #(
      .E(E),
      .M(M),
      .NEAREST(NEAREST),
      .WIDTH(W),
      .X(X)
  ) finish (
      .sign(operands_a[FROM_E+FROM_M] && fault != 4'd3),
      .exponent(exponent),
      .normal(normal),
      .word(rounded),
      .saturated(over),
      .underflowed(under)
  );

  always @(posedge clk) if (advance) {underflowed, saturated, word} <= {under, over, rounded};
endmodule
