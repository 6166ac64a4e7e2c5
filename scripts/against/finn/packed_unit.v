// SPDX-License-Identifier: Apache-2.0
// Puts chains of packed products (tests/rtl/int8_chain.v) behind the pins of a unit of PE dot products. At each enabled
// edge it takes a beat of SIMD activations, which all dot products share, and PE x SIMD weights. Two dot products share
// a chain of TERMS slices; a tree adds the sums of SIMD / TERMS chains. `last` ends the sums, and `zero` replaces the
// beat by zeros. The sums of a beat with `last` appear LATENCY enabled edges later, including the beat's own edge, for
// one enabled edge.
module packed_unit #(
    parameter PE = 2,
    parameter SIMD = 4,
    parameter TERMS = 4,
    parameter SHIFT = 18,
    parameter SIGNED = 0
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 en,
    input  wire                 last,
    input  wire                 zero,
    input  wire [PE*SIMD*8-1:0] w,
    input  wire [   SIMD*8-1:0] a,
    output wire                 vld,
    output wire [    PE*24-1:0] p
);
  localparam CHAINS = SIMD / TERMS;
  localparam LEVELS = $clog2(CHAINS);
  localparam LATENCY = TERMS + 5 + LEVELS;

  // These say for the beats in progress whether sums begin and end with a beat.
  reg begins;
  reg [LATENCY-1:0] starts, ends;
  wire [LATENCY:0] entering_starts = {starts, begins}, entering_ends = {ends, last};
  always @(posedge clk)
    if (rst) begin
      begins <= 1'b1;
      starts <= {LATENCY{1'b0}};
      ends   <= {LATENCY{1'b0}};
    end else if (en) begin
      begins <= last;
      starts <= entering_starts[LATENCY-1:0];
      ends   <= entering_ends[LATENCY-1:0];
    end
  assign vld = ends[LATENCY-1];

  // Slice k of a chain waits k edges; all chains share the activation of a place.
  wire [SIMD*9-1:0] shared;
  wire [PE*SIMD*8-1:0] weights;
  genvar s, e, t;
  generate
    for (s = 0; s < SIMD; s = s + 1) begin : place
      wire [7:0] activation;
      delay_line #(
          .WIDTH(8),
          .EDGES(s % TERMS)
      ) skew (
          .clk(clk),
          .enable(en),
          .in(zero ? 8'd0 : a[8*s+:8]),
          .out(activation)
      );
      assign shared[9*s+:9] = {SIGNED != 0 && activation[7], activation};
      for (e = 0; e < PE; e = e + 1) begin : product
        delay_line #(
            .WIDTH(8),
            .EDGES(s % TERMS)
        ) skew (
            .clk(clk),
            .enable(en),
            .in(w[(e*SIMD+s)*8+:8]),
            .out(weights[(e*SIMD+s)*8+:8])
        );
      end
    end

    for (e = 0; e < PE; e = e + 2) begin : pair
      wire [CHAINS*24-1:0] high_sums, low_sums;
      wire [24+LEVELS-1:0] high_sum, low_sum;
      for (t = 0; t < CHAINS; t = t + 1) begin : chain
        wire [TERMS*9-1:0] high, low;
        for (s = 0; s < TERMS; s = s + 1) begin : slice
          wire [7:0] low_weight = weights[(e*SIMD+t*TERMS+s)*8+:8];
          assign low[9*s+:9] = {low_weight[7], low_weight};
          if (e + 1 < PE) begin : both
            wire [7:0] high_weight = weights[((e+1)*SIMD+t*TERMS+s)*8+:8];
            assign high[9*s+:9] = {high_weight[7], high_weight};
          end else begin : one
            assign high[9*s+:9] = 9'd0;
          end
        end
        int8_chain #(
            .TERMS(TERMS),
            .SHIFT(SHIFT)
        ) products (
            .clk(clk),
            .enable(en),
            .load({TERMS{en}}),
            .wrong(1'b0),
            .high(high),
            .low(low),
            .shared(shared[9*t*TERMS+:9*TERMS]),
            .start(starts[TERMS+3]),
            .step(1'b1),
            .sums({high_sums[24*t+:24], low_sums[24*t+:24]})
        );
      end
      pipelined_sum #(
          .TERMS (CHAINS),
          .WIDTH (24),
          .LEVELS(LEVELS)
      ) low_tree (
          .clk(clk),
          .enable(en),
          .in(low_sums),
          .out(low_sum)
      );
      assign p[24*e+:24] = low_sum[23:0];
      if (e + 1 < PE) begin : high_result
        pipelined_sum #(
            .TERMS (CHAINS),
            .WIDTH (24),
            .LEVELS(LEVELS)
        ) high_tree (
            .clk(clk),
            .enable(en),
            .in(high_sums),
            .out(high_sum)
        );
        assign p[24*(e+1)+:24] = high_sum[23:0];
      end
    end
  endgenerate
endmodule
