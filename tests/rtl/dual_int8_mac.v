// SPDX-License-Identifier: Apache-2.0
// Two dot products that share one factor on TERMS + 1 slices: slice k adds (high << SHIFT) + low times the shared factor
// to what comes down the cascade, its operands delayed by k registers; the last slice takes the two sums apart, gives
// the low one's borrow back and accumulates them in lanes of 24 bits from `first` to `last`. A beat per cycle, TERMS + 5
// cycles from it to the sums. `fault`: 1 leaves the borrow out, 2 never starts anew, 3 moves on while the output is
// full, 4 lets the last pair come a cycle early.
module dual_int8_mac #(
    parameter TERMS = 7,
    parameter SHIFT = 18
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [        3:0] fault,
    input  wire               pairs_valid,
    output wire               pairs_ready,
    input  wire [TERMS*9-1:0] pairs_high,
    input  wire [TERMS*9-1:0] pairs_low,
    input  wire [TERMS*9-1:0] pairs_shared,
    input  wire               pairs_first,
    input  wire               pairs_last,
    output wire               sums_valid,
    input  wire               sums_ready,
    output wire               sums_full,
    output wire [       23:0] sums_high,
    output wire [       23:0] sums_low
);
  localparam LATENCY = TERMS + 5;

  reg [LATENCY-1:0] valid, first, last;
  wire sums_room;
  wire ends = valid[LATENCY-1] && last[LATENCY-1];
  wire advance = !ends || sums_room || fault == 4'd3;
  assign pairs_ready = advance;
  wire take = pairs_valid && advance;
  wire [LATENCY:0] valids = {valid, take};
  wire [LATENCY:0] firsts = {first, pairs_first};
  wire [LATENCY:0] lasts = {last, pairs_last};
  always @(posedge clk) begin
    if (rst) valid <= {LATENCY{1'b0}};
    else if (advance) valid <= valids[LATENCY-1:0];
    if (advance) first <= firsts[LATENCY-1:0];
    if (advance) last <= lasts[LATENCY-1:0];
  end

  // The operands of slice k wait k edges for the sum that comes down the cascade.
  wire [TERMS*27-1:0] arriving;
  wire [TERMS*9-1:0] high, low, shared;
  genvar k;
  generate
    for (k = 0; k < TERMS; k = k + 1) begin : term
      wire [26:0] entering = {pairs_high[9*k+:9], pairs_low[9*k+:9], pairs_shared[9*k+:9]};
      wire [26:0] waited;
      delay_line #(
          .WIDTH(27),
          .EDGES(k)
      ) wait_for_cascade (
          .clk(clk),
          .enable(advance),
          .in(entering),
          .out(waited)
      );
      if (k > 0 && k == TERMS - 1) begin : final_pair
        wire [26:0] early;
        delay_line #(
            .WIDTH(27),
            .EDGES(k - 1)
        ) too_short (
            .clk(clk),
            .enable(advance),
            .in(entering),
            .out(early)
        );
        assign arriving[27*k+:27] = fault == 4'd4 ? early : waited;
      end else begin : inner_pair
        assign arriving[27*k+:27] = waited;
      end
      assign {high[9*k+:9], low[9*k+:9], shared[9*k+:9]} = arriving[27*k+:27];
    end
  endgenerate

  wire [47:0] sums;
  int8_chain #(
      .TERMS(TERMS),
      .SHIFT(SHIFT)
  ) chain (
      .clk(clk),
      .enable(advance),
      .load({TERMS{advance}}),
      .wrong(fault == 4'd1),
      .high(high),
      .low(low),
      .shared(shared),
      .start(first[LATENCY-2] && fault != 4'd2),
      .step(valid[LATENCY-2]),
      .sums(sums)
  );

  stream_register #(
      .WIDTH(48)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(ends),
      .in_ready(sums_room),
      .in_data(sums),
      .out_valid(sums_valid),
      .out_ready(sums_ready),
      .out_full(sums_full),
      .out_data({sums_high, sums_low})
  );
endmodule
