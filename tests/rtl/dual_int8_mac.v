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

  // What slice k hands down is at [k + 1].
  wire [48*(TERMS+1)-1:0] cascade;
  assign cascade[47:0] = 48'd0;
  wire [47:0] total;
  genvar k;
  generate
    for (k = 0; k < TERMS; k = k + 1) begin : term
      wire [26:0] entering = {pairs_high[9*k+:9], pairs_low[9*k+:9], pairs_shared[9*k+:9]};
      wire [26:0] arriving;
      if (k == 0) begin : none
        assign arriving = entering;
      end else begin : wait_for_cascade
        reg [26:0] delay[0:k-1];
        integer i;
        always @(posedge clk)
          if (advance) begin
            delay[0] <= entering;
            for (i = 1; i < k; i = i + 1) delay[i] <= delay[i-1];
          end
        if (k == TERMS - 1) begin : final_pair
          wire [26:0] early = k == 1 ? entering : delay[k<2?0 : k-2];
          assign arriving = fault == 4'd4 ? early : delay[k-1];
        end else begin : inner_pair
          assign arriving = delay[k-1];
        end
      end
      wire signed [29:0] high = {{21{arriving[26]}}, arriving[26:18]};
      wire [47:0] p;
      DSP48E2 #(
          .ADREG(1),
          .AMULTSEL("AD"),
          .BCASCREG(2),
          .BREG(2),
          .DREG(1),
          .MREG(1),
          .ACASCREG(1),
          .ALUMODEREG(0),
          .AREG(1),
          .CARRYINREG(0),
          .CARRYINSELREG(0),
          .CREG(1),
          .INMODEREG(0),
          .OPMODEREG(0),
          .PREG(1)
      ) slice (
          .CLK(clk),
          .A(high <<< SHIFT),
          .B({{9{arriving[8]}}, arriving[8:0]}),
          .C(48'd0),
          .D({{18{arriving[17]}}, arriving[17:9]}),
          .PCIN(cascade[48*k+:48]),
          .ALUMODE(4'd0),
          .CARRYIN(1'b0),
          .CARRYINSEL(3'd0),
          .INMODE(5'b00100),
          .OPMODE(k == 0 ? 9'b000000101 : 9'b000010101),
          .CEA1(1'b0),
          .CEA2(advance),
          .CEAD(advance),
          .CEB1(advance),
          .CEB2(advance),
          .CED(advance),
          .CEM(advance),
          .CEP(advance),
          .CEALUMODE(1'b0),
          .CEC(1'b0),
          .CECARRYIN(1'b0),
          .CECTRL(1'b0),
          .CEINMODE(1'b0),
          .RSTA(1'b0),
          .RSTALLCARRYIN(1'b0),
          .RSTALUMODE(1'b0),
          .RSTB(1'b0),
          .RSTC(1'b0),
          .RSTCTRL(1'b0),
          .RSTD(1'b0),
          .RSTINMODE(1'b0),
          .RSTM(1'b0),
          .RSTP(1'b0),
          .P(p),
          .PCOUT(cascade[48*(k+1)+:48])
      );
      if (k == TERMS - 1) begin : tail
        assign total = p;
      end
    end
  endgenerate

  wire [47:0] lanes = {total[SHIFT+:24], {(24 - SHIFT) {total[SHIFT-1]}}, total[SHIFT-1:0]};
  wire borrow = total[SHIFT-1] && fault != 4'd1;
  wire start = first[LATENCY-2] && fault != 4'd2;
  wire [47:0] sums;
  DSP48E2 #(
      .ADREG(0),
      .BCASCREG(1),
      .BREG(1),
      .DREG(0),
      .MREG(0),
      .USE_MULT("NONE"),
      .USE_SIMD("TWO24"),
      .ACASCREG(1),
      .ALUMODEREG(0),
      .AREG(1),
      .CARRYINREG(0),
      .CARRYINSELREG(0),
      .CREG(1),
      .INMODEREG(0),
      .OPMODEREG(0),
      .PREG(1)
  ) rebase (
      .CLK(clk),
      .A(lanes[47:18]),
      .B(lanes[17:0]),
      .C({23'd0, borrow, 24'd0}),
      .D(27'd0),
      .PCIN(48'd0),
      .ALUMODE(4'd0),
      .CARRYIN(1'b0),
      .CARRYINSEL(3'd0),
      .INMODE(5'd0),
      .OPMODE({1'b0, !start, 7'b0110011}),
      .CEA2(advance),
      .CEB2(advance),
      .CEC(advance),
      .CEP(advance && valid[LATENCY-2]),
      .CEA1(1'b0),
      .CEAD(1'b0),
      .CEB1(1'b0),
      .CED(1'b0),
      .CEM(1'b0),
      .CEALUMODE(1'b0),
      .CECARRYIN(1'b0),
      .CECTRL(1'b0),
      .CEINMODE(1'b0),
      .RSTA(1'b0),
      .RSTALLCARRYIN(1'b0),
      .RSTALUMODE(1'b0),
      .RSTB(1'b0),
      .RSTC(1'b0),
      .RSTCTRL(1'b0),
      .RSTD(1'b0),
      .RSTINMODE(1'b0),
      .RSTM(1'b0),
      .RSTP(1'b0),
      .P(sums)
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
