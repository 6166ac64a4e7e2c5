// SPDX-License-Identifier: Apache-2.0
// The signed array of docs/float.md: rows of processing units, RPS of them between registers, then a stage that rounds.
// `fault`: 1 does not hold its stages while `results` is full, 2 selects no remainder of the second row, 3 looks at no
// remainder after the last.
module float_array_divider #(
    parameter RPS = 4,
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
  localparam ROWS = P + 1 + NEAREST;
  localparam STAGES = (ROWS + RPS - 1) / RPS;
  localparam signed [E+7:0] BIAS = (1 << (E - 1)) - 1;

  wire advance;
  reg [E+M:0] word;
  reg saturated, underflowed;
  float_stages #(
      .STAGES(STAGES + 1),
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
  wire zero_a = exponent_a == {E{1'b0}};
  wire zero_b = exponent_b == {E{1'b0}};

  genvar r;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : row
      // What enters the row: partial remainder, divisor, quotient so far, and what passes by.
      wire [P:0] remainder;
      wire [P-1:0] divisor;
      wire [ROWS-1:0] quotient;
      wire sign, zero, infinite;
      wire signed [E+7:0] exponent;
      if (r == 0) begin : first
        assign remainder = {1'b0, 1'b1, operands_a[M-1:0]};
        assign divisor = {1'b1, operands_b[M-1:0]};
        assign quotient = {ROWS{1'b0}};
        assign sign = operands_a[E+M] ^ operands_b[E+M];
        assign zero = zero_a;
        assign infinite = zero_b && !zero_a;
        assign exponent = $signed({8'd0, exponent_a}) - $signed({8'd0, exponent_b}) + BIAS;
      end else begin : other
        assign remainder = {row[r-1].after[P-1:0], 1'b0};
        assign divisor = row[r-1].divisor_after;
        assign quotient = row[r-1].quotient_after;
        assign sign = row[r-1].sign_after;
        assign zero = row[r-1].zero_after;
        assign infinite = row[r-1].infinite_after;
        assign exponent = row[r-1].exponent_after;
      end

      wire [P+1:0] difference = {1'b0, remainder} - {2'b00, divisor};
      wire one = !difference[P+1];
      wire [P:0] selected = one && !(fault == 4'd2 && r == 1) ? difference[P:0] : remainder;
      wire [ROWS-1:0] longer = {quotient[ROWS-2:0], one};

      wire [P:0] after;
      wire [P-1:0] divisor_after;
      wire [ROWS-1:0] quotient_after;
      wire sign_after, zero_after, infinite_after;
      wire signed [E+7:0] exponent_after;
      if (r % RPS == RPS - 1 || r == ROWS - 1) begin : registers
        reg [P:0] remainder_q;
        reg [P-1:0] divisor_q;
        reg [ROWS-1:0] quotient_q;
        reg sign_q, zero_q, infinite_q;
        reg signed [E+7:0] exponent_q;
        always @(posedge clk)
          if (advance) begin
            remainder_q <= selected;
            divisor_q <= divisor;
            quotient_q <= longer;
            sign_q <= sign;
            zero_q <= zero;
            infinite_q <= infinite;
            exponent_q <= exponent;
          end
        assign after = remainder_q;
        assign divisor_after = divisor_q;
        assign quotient_after = quotient_q;
        assign sign_after = sign_q;
        assign zero_after = zero_q;
        assign infinite_after = infinite_q;
        assign exponent_after = exponent_q;
      end else begin : wires
        assign after = selected;
        assign divisor_after = divisor;
        assign quotient_after = longer;
        assign sign_after = sign;
        assign zero_after = zero;
        assign infinite_after = infinite;
        assign exponent_after = exponent;
      end
    end
  endgenerate

  wire [ROWS-1:0] quotient = row[ROWS-1].quotient_after;
  wire sticky = row[ROWS-1].after != {P + 1{1'b0}} && fault != 4'd3;
  wire zero = row[ROWS-1].zero_after;
  wire infinite = row[ROWS-1].infinite_after;
  wire sign = row[ROWS-1].sign_after;
  wire below_one = !quotient[ROWS-1];
  wire [ROWS:0] normal = {quotient, sticky} << below_one;
  wire signed [E+7:0] exponent = row[ROWS-1].exponent_after - $signed({{E + 7{1'b0}}, below_one});

  wire [E+M:0] rounded;
  wire over, under;
  float_finish #(
      .E(E),
      .M(M),
      .NEAREST(NEAREST),
      .WIDTH(ROWS + 1)
  ) finish (
      .sign(sign),
      .exponent(exponent),
      .normal(normal),
      .word(rounded),
      .saturated(over),
      .underflowed(under)
  );

  always @(posedge clk)
    if (advance)
      {underflowed, saturated, word} <= zero ? {E + M + 3{1'b0}} :
          infinite ? {2'b01, sign, {E + M{1'b1}}} : {under, over, rounded};
endmodule
