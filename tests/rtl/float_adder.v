// SPDX-License-Identifier: Apache-2.0
// The adder and subtractor of docs/float.md in three stages: align, add, normalise and round.
// `fault`: 1 does not hold its stages while `results` is full, 2 does not compare mantissas, 3 keeps the bits that
// alignment shifts out of the double width's last place, 4 does not normalise by the last place.
module float_adder #(
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
    input  wire           operands_subtracts,

    output wire         results_valid,
    input  wire         results_ready,
    output wire         results_full,
    output wire [E+M:0] results_word,
    output wire         results_saturated,
    output wire         results_underflowed
);
  localparam P = M + 1;
  localparam W = 2 * P + 1;  // twice a significand, and a bit for what is lost

  wire advance;
  reg [E+M:0] word;
  reg saturated, underflowed;
  float_stages #(
      .STAGES(3),
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
  wire sign_b = operands_b[E+M] ^ operands_subtracts;
  wire swap = fault == 4'd2 ? exponent_a < exponent_b : operands_a[E+M-1:0] < operands_b[E+M-1:0];
  wire [E+M-1:0] larger = swap ? operands_b[E+M-1:0] : operands_a[E+M-1:0];
  wire [E+M-1:0] smaller = swap ? operands_a[E+M-1:0] : operands_b[E+M-1:0];
  wire [E-1:0] distance = larger[M+:E] - smaller[M+:E];
  wire [W-1:0] wide_large = {1'b1, larger[M-1:0], {P + 1{1'b0}}} & {W{larger[M+:E] != {E{1'b0}}}};
  wire [W-1:0] wide_small = {1'b1, smaller[M-1:0], {P + 1{1'b0}}} & {W{smaller[M+:E] != {E{1'b0}}}};
  wire [2*W-1:0] shifted = {wide_small, {W{1'b0}}} >> distance;
  wire lost = |shifted[W:0] || ({{32 - E{1'b0}}, distance} >= W && wide_small != {W{1'b0}});
  wire sticky = fault == 4'd3 ? shifted[W] : NEAREST == 1 && lost;

  reg sign, second_sign, subtracts;
  reg [E-1:0] exponent, second_exponent;
  reg [W-1:0] kept, aligned;
  reg [W:0] sum;
  always @(posedge clk)
    if (advance) begin
      sign <= swap ? sign_b : operands_a[E+M];
      subtracts <= operands_a[E+M] ^ sign_b;
      exponent <= larger[M+:E];
      kept <= wide_large;
      aligned <= {shifted[2*W-1:W+1], sticky};
      second_sign <= sign;
      second_exponent <= exponent;
      sum <= subtracts ? {1'b0, kept} - {1'b0, aligned} : {1'b0, kept} + {1'b0, aligned};
    end

  // Leading zeros of the sum: none after a carry, one without.
  function [7:0] leading_zeros(input [W:0] value);
    integer i;
    begin
      leading_zeros = 8'd0;
      for (i = 0; i <= W; i = i + 1) if (value[i]) leading_zeros = W[7:0] - i[7:0];
    end
  endfunction
  wire [7:0] zeros = leading_zeros(sum);
  wire [7:0] places = fault == 4'd4 ? {zeros[7:1], 1'b0} : zeros;
  wire [W:0] normal = sum << places;
  wire signed [E+7:0] normal_exponent = $signed({8'd0, second_exponent}) + 1 - $signed({{E{1'b0}}, zeros});

  wire [E+M:0] rounded;
  wire over, under;
  float_finish #(
      .E(E),
      .M(M),
      .NEAREST(NEAREST),
      .WIDTH(W + 1)
  ) finish (
      .sign(second_sign),
      .exponent(normal_exponent),
      .normal(normal),
      .word(rounded),
      .saturated(over),
      .underflowed(under)
  );

  always @(posedge clk) if (advance) {underflowed, saturated, word} <= {under, over, rounded};
endmodule
