// SPDX-License-Identifier: Apache-2.0
// The multiplier of docs/float.md in two stages: multiply, round.
// `fault`: 1 does not hold its stages while `results` is full, 2 does not realign a product of 2 and more, 3 takes the
// bias for 2^(E-1).
module float_multiplier #(
    parameter E = 8,
    parameter M = 23,
    parameter NEAREST = 0
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input  wire           operands_valid,
    output wire           operands_ready,
    input  wire   [E+M:0] operands_a,
    input  wire   [E+M:0] operands_b,

    output wire         results_valid,
    input  wire         results_ready,
    output wire         results_full,
    output wire [E+M:0] results_word,
    output wire         results_saturated,
    output wire         results_underflowed
);
  localparam P = M + 1;
  localparam signed [E+7:0] BIAS = (1 << (E - 1)) - 1;

  wire advance;
  reg [E+M:0] word;
  reg saturated, underflowed;
  float_stages #(
      .STAGES(2),
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

  wire [E-1:0] exponent_a = operands_a[M+:E];
  wire [E-1:0] exponent_b = operands_b[M+:E];
  wire zero = exponent_a == {E{1'b0}} || exponent_b == {E{1'b0}};
  wire [2*P-1:0] significand_a = {{P{1'b0}}, 1'b1, operands_a[M-1:0]};
  wire [2*P-1:0] significand_b = {{P{1'b0}}, 1'b1, operands_b[M-1:0]};
  wire signed [E+7:0] bias = fault == 4'd3 ? BIAS + 1 : BIAS;

  reg sign;
  reg signed [E+7:0] exponent;
  reg [2*P-1:0] product;
  always @(posedge clk)
    if (advance) begin
      sign <= operands_a[E+M] ^ operands_b[E+M];
      exponent <= $signed({8'd0, exponent_a}) + $signed({8'd0, exponent_b}) - bias;
      product <= zero ? {2 * P{1'b0}} : significand_a * significand_b;
    end

  wire two = product[2*P-1];
  wire [2*P-1:0] normal = two ? product : product << 1;
  wire signed [E+7:0] realigned = exponent + $signed({{E + 7{1'b0}}, two && fault != 4'd2});

  wire [E+M:0] rounded;
  wire over, under;
  float_finish #(
      .E(E),
      .M(M),
      .NEAREST(NEAREST),
      .WIDTH(2 * P)
  ) finish (
      .sign(sign),
      .exponent(realigned),
      .normal(normal),
      .word(rounded),
      .saturated(over),
      .underflowed(under)
  );

  always @(posedge clk) if (advance) {underflowed, saturated, word} <= {under, over, rounded};
endmodule
