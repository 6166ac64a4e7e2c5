// SPDX-License-Identifier: Apache-2.0
// Sums the entries of a reconfigurable-LUT kernel's tables, each slice at its place, and a constant: a register per stage
// of counters until no column has more than three bits, then a ternary adder and its register. `no_constant` leaves the
// constant out, `lose_carry` a counter's highest bit.
module compressor #(
    parameter INPUTS = 1,
    parameter INPUT_BITS = 8,
    parameter COEFFICIENT_BITS = 8,
    parameter FAITHFUL = 0,
    parameter SLICE_BITS = 4
) (
    input wire clk,
    input wire rst,
    input wire enable,
    input wire no_constant,
    input wire lose_carry,

    input wire [(INPUT_BITS+SLICE_BITS-1)/SLICE_BITS*INPUTS*(COEFFICIENT_BITS+SLICE_BITS)-1:0] entries_bits,
    output wire [(FAITHFUL==1 ? INPUT_BITS : COEFFICIENT_BITS+INPUT_BITS+$clog2(INPUTS+1))-1:0] value
);
  `include "lut_kernel.vh"
  `include "compressor_plan.vh"

  genvar t, c, s, i, k, j;
  generate
    for (t = 0; t <= STAGES; t = t + 1) begin : stage
      localparam [40*64-1:0] PLAN = plan(t);
      localparam [40*64-1:0] FROM = plan(t == 0 ? 0 : t - 1);
      wire [SUM*MOST-1:0] bits;
      for (c = 0; c < SUM; c = c + 1) begin : fill
        for (k = field(PLAN, c, 0); k < MOST; k = k + 1) begin : unused
          assign bits[c*MOST+k] = 1'b0;
        end
      end
      if (t == 0) begin : heap
        for (c = 0; c < SUM; c = c + 1) begin : column
          for (s = 0; s < SLICES; s = s + 1) begin : slice
            if (c - SLICE_BITS * s >= first_bit(s) && c - SLICE_BITS * s < PRODUCT) begin : there
              localparam AT = c * MOST + slices_before(c, s) * INPUTS;
              for (i = 0; i < INPUTS; i = i + 1) begin : entry
                assign bits[AT+i] = entries_bits[(s*INPUTS+i)*PRODUCT+c-SLICE_BITS*s];
              end
            end
          end
          if (CONSTANT[c]) begin : one
            localparam AT = c * MOST + slices_before(c, SLICES) * INPUTS;
            assign bits[AT] = !no_constant;
          end
        end
      end else begin : counters
        for (c = 0; c < SUM; c = c + 1) begin : column
          localparam TWO = field(FROM, c, 12);
          localparam SIX = field(FROM, c, 24);
          localparam THREE = field(FROM, c, 36);
          localparam AT_TWO = 6 * field(FROM, c - 2, 12);  // behind those that a counter two columns below takes
          localparam AT_SIX = AT_TWO + 6 * TWO;
          localparam AT_THREE = AT_SIX + 6 * SIX;
          localparam AT_REST = AT_THREE + 3 * THREE;
          for (k = 0; k < TWO; k = k + 1) begin : two_sixes
            wire [4:0] count;
            counter_606 counter (
                .low  (stage[t-1].bits[c*MOST+AT_TWO+6*k+:6]),
                .high (stage[t-1].bits[(c+2)*MOST+6*k+:6]),
                .count(count)
            );
            for (j = 0; j < 5 && c + j < SUM; j = j + 1) begin : result
              localparam AT = (c + j) * MOST + given_by(FROM, c + j, 12, j) + k;
              reg held;
              always @(posedge clk) if (enable) held <= count[j] && !(lose_carry && j == 4);
              assign bits[AT] = held;
            end
          end
          for (k = 0; k < SIX; k = k + 1) begin : six
            wire [2:0] count;
            counter_63 counter (
                .bits (stage[t-1].bits[c*MOST+AT_SIX+6*k+:6]),
                .count(count)
            );
            for (j = 0; j < 3 && c + j < SUM; j = j + 1) begin : result
              localparam AT = (c + j) * MOST + given_by(FROM, c + j, 12, 5) + given_by(FROM, c + j, 24, j) + k;
              reg held;
              always @(posedge clk) if (enable) held <= count[j];
              assign bits[AT] = held;
            end
          end
          for (k = 0; k < THREE; k = k + 1) begin : three
            wire [1:0] count;
            counter_32 counter (
                .bits (stage[t-1].bits[c*MOST+AT_THREE+3*k+:3]),
                .count(count)
            );
            for (j = 0; j < 2 && c + j < SUM; j = j + 1) begin : result
              localparam SIXES = given_by(FROM, c + j, 12, 5) + given_by(FROM, c + j, 24, 3);
              localparam AT = (c + j) * MOST + SIXES + given_by(FROM, c + j, 36, j) + k;
              reg held;
              always @(posedge clk) if (enable) held <= count[j];
              assign bits[AT] = held;
            end
          end
          localparam GIVEN = given_by(FROM, c, 12, 5) + given_by(FROM, c, 24, 3) + given_by(FROM, c, 36, 2);
          for (k = 0; k < field(FROM, c, 0) - AT_REST; k = k + 1) begin : rest
            reg held;  // with a reset, so that it is no shift register
            always @(posedge clk)
              if (rst) held <= 1'b0;
              else if (enable) held <= stage[t-1].bits[c*MOST+AT_REST+k];
            assign bits[c*MOST+GIVEN+k] = held;
          end
        end
      end
    end
  endgenerate

  // The first column with more than one bit.
  function integer first_added(input integer unused);
    integer column;
    begin
      first_added = SUM;
      for (column = SUM - 1; column >= 0; column = column - 1)
      if (field(plan(STAGES), column, 0) > 1) first_added = column;
    end
  endfunction
  localparam FIRST = first_added(0);

  wire [SUM-1:0] a, b, d, total;
  generate
    for (c = 0; c < SUM; c = c + 1) begin : row
      assign a[c] = stage[STAGES].bits[c*MOST];
      assign b[c] = stage[STAGES].bits[c*MOST+1];
      assign d[c] = stage[STAGES].bits[c*MOST+2];
      if (c < FIRST) begin : single
        assign total[c] = a[c];
      end
    end
  endgenerate
  ternary_adder #(
      .WIDTH(SUM - FIRST)
  ) adder (
      .a  (a[SUM-1:FIRST]),
      .b  (b[SUM-1:FIRST]),
      .c  (d[SUM-1:FIRST]),
      .sum(total[SUM-1:FIRST])
  );
  reg [SUM-1:0] sum;
  always @(posedge clk) if (enable) sum <= total;
  assign value = sum[SUM-1:SUM-OUTPUT];
endmodule
