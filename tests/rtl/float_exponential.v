// SPDX-License-Identifier: Apache-2.0
// e^x of docs/float.md in five stages: fixed point, times log2 e, table, line, rounding.
// `fault`: 1 does not hold its stages while `results` is full, 2 takes the table for a staircase, 3 negates without the
// carry.
module float_exponential #(
    parameter T = 7,
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

    output wire         results_valid,
    input  wire         results_ready,
    output wire         results_full,
    output wire [E+M:0] results_word,
    output wire         results_saturated,
    output wire         results_underflowed
);
  localparam F = (M < 24 ? M : 24) + 4;
  localparam S = F + E;       // bits of fraction of log2 e
  localparam X = E + F + 1;   // bits of |x|
  localparam signed [E+7:0] BIAS = (1 << (E - 1)) - 1;
  localparam [63:0] LOG2E = 64'hb8aa3b295c17f0bb >> (63 - S);
  localparam L = F - T;  // bits along a line

  wire advance;
  reg [E+M:0] word;
  reg saturated, underflowed;
  float_stages #(
      .STAGES(5),
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

  // 2^(i / 2^T) with F bits of fraction, to nearest, from roots with 62.
  function [63:0] root(input [127:0] value);
    reg [127:0] next;
    integer bit_index;
    begin
      root = 64'd0;
      for (bit_index = 63; bit_index >= 0; bit_index = bit_index - 1) begin
        next = {64'd0, root | (64'd1 << bit_index)};
        if (next * next <= value) root = next[63:0];
      end
    end
  endfunction
  function [((1<<T)+1)*(F+2)-1:0] powers(input integer unused);
    reg [64*(T+1)-1:0] roots;
    reg [127:0] power;
    integer i, n;
    begin
      roots[63:0] = 64'd2 << 62;
      for (n = 1; n <= T; n = n + 1) roots[64*n+:64] = root({64'd0, roots[64*(n-1)+:64]} << 62);
      for (i = 0; i <= 1 << T; i = i + 1) begin
        power = i == 1 << T ? 128'd2 << 62 : 128'd1 << 62;
        for (n = 0; n < T; n = n + 1) if (i[n]) power = (power * {64'd0, roots[64*(T-n)+:64]}) >> 62;
        power = (power + (128'd1 << (61 - F))) >> (62 - F);
        powers[(F+2)*i+:F+2] = power[F+1:0];
      end
    end
  endfunction
  localparam [((1<<T)+1)*(F+2)-1:0] POWERS = powers(0);

  // |x|: the significand has its point at bit M; F more bits below, moved by the exponent.
  wire [E-1:0] biased = operands_a[M+:E];
  wire signed [E+7:0] exponent = $signed({8'd0, biased}) - BIAS;
  wire [E+7:0] down = -exponent;
  wire [E+F+M:0] significand = {{E{1'b0}}, 1'b1, operands_a[M-1:0], {F{1'b0}}};
  wire [E+F+M:0] moved = exponent[E+7] ? significand >> down : significand << exponent[E+6:0];
  wire far = !exponent[E+7] && exponent[E+6:0] >= E[E+6:0];

  wire [X+S:0] scaled = {{S + 1{1'b0}}, fixed} * {{X{1'b0}}, LOG2E[S:0]};
  wire [X+1:0] magnitude = {1'b0, scaled[X+S:S]};
  wire [T-1:0] index = power[F-1-:T];
  wire [T:0] above = {1'b0, index} + {{T{1'b0}}, 1'b1};
  wire [F+1:0] entry = POWERS[(F+2)*{{31-T{1'b0}}, 1'b0, index}+:F+2];
  wire [F+1:0] next_entry = POWERS[(F+2)*{{31-T{1'b0}}, above}+:F+2];
  wire [F+L+1:0] rise = {{L{1'b0}}, slope} * {{F + 2{1'b0}}, along};

  reg [X-1:0] fixed;
  reg sign;
  reg [X+1:0] power;
  reg [F+1:0] here, slope;
  reg [L-1:0] along;
  reg [F+1:0] value;
  reg signed [E+7:0] whole, result_exponent;
  always @(posedge clk)
    if (advance) begin
      fixed <= biased == {E{1'b0}} ? {X{1'b0}} : far ? {1'b1, {E + F{1'b0}}} : moved[E+F+M:M];
      sign <= operands_a[E+M];
      power <= !sign ? magnitude : fault == 4'd3 ? ~magnitude : -magnitude;
      here <= entry;
      slope <= fault == 4'd2 ? {F + 2{1'b0}} : next_entry - entry;
      along <= power[L-1:0];
      whole <= $signed({{5{power[X+1]}}, power[X+1:F]});
      value <= here + rise[F+L+1:L];
      result_exponent <= whole + BIAS;
    end

  localparam W = F > M ? F + 1 : M + 1;
  wire [W+F:0] padded = {value[F:0], {W{1'b0}}};

  wire [E+M:0] rounded;
  wire over, under;
  float_finish #(
      .E(E),
      .M(M),
      .NEAREST(NEAREST),
      .WIDTH(W)
  ) finish (
      .sign(1'b0),
      .exponent(result_exponent),
      .normal(padded[W+F-:W]),
      .word(rounded),
      .saturated(over),
      .underflowed(under)
  );

  always @(posedge clk) if (advance) {underflowed, saturated, word} <= {under, over, rounded};
endmodule
