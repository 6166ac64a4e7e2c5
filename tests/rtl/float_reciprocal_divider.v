// SPDX-License-Identifier: Apache-2.0
// Division by Newton's reciprocal, docs/float.md: a stage for the table, two for each of STEPS iterations, one for the
// product with the dividend, one to round.
// `fault`: 1 does not hold its stages while `results` is full, 2 subtracts from a little less than 2, 3 takes the next
// entry of the table.
module float_reciprocal_divider #(
    parameter T = 6,
    parameter STEPS = 2,
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
  localparam F = M + 4 > T + 2 ? M + 4 : T + 2;
  localparam Q = P + F + 1;  // bits of the product with the dividend
  localparam signed [E+7:0] BIAS = (1 << (E - 1)) - 1;

  wire advance;
  reg [E+M:0] word;
  reg saturated, underflowed;
  float_stages #(
      .STAGES(2 * STEPS + 3),
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

  reg [T+1:0] seeds[0:(1<<T)-1];  // constants
  integer i;
  initial
    for (i = 0; i < 1 << T; i = i + 1)
      // verilator lint_off WIDTH
      seeds[i] = ((16 << (2 * T)) + (2 << T) + 2 * i + 1) / (2 * ((2 << T) + 2 * i + 1));
      // verilator lint_on WIDTH

  wire [E-1:0] exponent_a = operands_a[M+:E];
  wire [E-1:0] exponent_b = operands_b[M+:E];
  wire zero_a = exponent_a == {E{1'b0}};
  wire zero_b = exponent_b == {E{1'b0}};
  wire [M+T-1:0] mantissa = {operands_b[M-1:0], {T{1'b0}}};
  wire [T-1:0] index = mantissa[M+T-1-:T] ^ {{T - 1{1'b0}}, fault == 4'd3};
  wire [T+1:0] seed = seeds[index];

  genvar k;
  generate
    // After 2k + 1 stages the reciprocal of k iterations; what a stage needs travels along.
    for (k = 0; k <= 2 * STEPS + 1; k = k + 1) begin : stage
      reg [P-1:0] dividend, divisor;
      reg sign, zero, infinite;
      reg signed [E+7:0] exponent;
      reg [F:0] y, two_less;  // the second where an iteration is half done
      reg [Q-1:0] quotient;   // of the last stage
      if (k == 0) begin : first
        always @(posedge clk)
          if (advance) begin
            dividend <= {1'b1, operands_a[M-1:0]};
            divisor <= {1'b1, operands_b[M-1:0]};
            sign <= operands_a[E+M] ^ operands_b[E+M];
            zero <= zero_a;
            infinite <= zero_b && !zero_a;
            exponent <= $signed({8'd0, exponent_a}) - $signed({8'd0, exponent_b}) + BIAS;
            y <= {1'b0, seed, {F - T - 2{1'b0}}};
            two_less <= {F + 1{1'b0}};
            quotient <= {Q{1'b0}};
          end
      end else begin : other
        wire [Q-1:0] by_divisor = {{F + 1{1'b0}}, stage[k-1].divisor} * {{P{1'b0}}, stage[k-1].y};
        wire [2*F+1:0] by_rest = {{F + 1{1'b0}}, stage[k-1].y} * {{F + 1{1'b0}}, stage[k-1].two_less};
        wire [F+1:0] two = {1'b1, {F + 1{1'b0}}} - {{F + 1{1'b0}}, fault == 4'd2};
        wire [F+1:0] rest = two - by_divisor[M+:F+2];
        always @(posedge clk)
          if (advance) begin
            dividend <= stage[k-1].dividend;
            divisor <= stage[k-1].divisor;
            sign <= stage[k-1].sign;
            zero <= stage[k-1].zero;
            infinite <= stage[k-1].infinite;
            exponent <= stage[k-1].exponent;
            two_less <= rest[F:0];
            y <= k % 2 == 0 ? by_rest[F+:F+1] : stage[k-1].y;
            quotient <= {{F + 1{1'b0}}, stage[k-1].dividend} * {{P{1'b0}}, stage[k-1].y};
          end
      end
    end
  endgenerate

  function [7:0] leading_zeros(input [Q-1:0] value);
    integer n;
    begin
      leading_zeros = 8'd0;
      for (n = 0; n < Q; n = n + 1) if (value[n]) leading_zeros = Q[7:0] - 8'd1 - n[7:0];
    end
  endfunction
  wire [7:0] zeros = leading_zeros(stage[2*STEPS+1].quotient);
  wire [Q-1:0] normal = stage[2*STEPS+1].quotient << zeros;
  wire signed [E+7:0] exponent = stage[2*STEPS+1].exponent + 1 - $signed({{E{1'b0}}, zeros});

  wire [E+M:0] rounded;
  wire over, under;
  float_finish #(
      .E(E),
      .M(M),
      .NEAREST(NEAREST),
      .WIDTH(Q)
  ) finish (
      .sign(stage[2*STEPS+1].sign),
      .exponent(exponent),
      .normal(normal),
      .word(rounded),
      .saturated(over),
      .underflowed(under)
  );

  always @(posedge clk)
    if (advance)
      {underflowed, saturated, word} <= stage[2*STEPS+1].zero ? {E + M + 3{1'b0}} :
          stage[2*STEPS+1].infinite ? {2'b01, stage[2*STEPS+1].sign, {E + M{1'b1}}} : {under, over, rounded};
endmodule
